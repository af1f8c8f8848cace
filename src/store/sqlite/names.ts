import type { KindPlan, StagePlan } from "../../job/plan.ts";
import type { Database } from "./core.ts";

export interface StageRow {
  id: number;
  kind: number;
  kindName: string;
  name: string;
  position: number;
  next: number | undefined;
}

const TENANT_ID = "SELECT id FROM tenant WHERE name = ?";
const TENANT_NAME = "SELECT name FROM tenant WHERE id = ?";
const ADD_TENANT = "INSERT INTO tenant (name) VALUES (?) RETURNING id";
const STAGES = `SELECT stage.id, stage.kind, kind.name AS kindName, stage.name, position, next
  FROM stage JOIN kind ON kind.id = stage.kind ORDER BY kind, position`;
const PLANS = "SELECT id, name, plan FROM kind";
const INSTANCE_NAME = "SELECT name FROM instance WHERE id = ?";
const UPSERT_KIND = `INSERT INTO kind (name, plan) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET plan = excluded.plan RETURNING id`;
const UPSERT_STAGE = `INSERT INTO stage (kind, name, position) VALUES (?, ?, ?)
  ON CONFLICT (kind, name) DO UPDATE SET position = excluded.position, next = NULL RETURNING id`;
const LINK_STAGE = "UPDATE stage SET next = ? WHERE id = ?";
const RETIRE_STAGES = "UPDATE stage SET position = 1000 + id, next = NULL WHERE kind = ?";

/** Names and their numbers. Rows here are never deleted, so what was once read stays true. */
export class Names {
  readonly #core: Database;
  #tenantIds = new Map<string, number>();
  #tenantNames = new Map<number, string>();
  #stages = new Map<number, StageRow>();
  #byName = new Map<string, StageRow>();
  #plans = new Map<number, KindPlan>();

  constructor(core: Database) {
    this.#core = core;
  }

  /** After a rollback: a number given to a name may be gone again. */
  reset(): void {
    this.#tenantIds.clear();
    this.#tenantNames.clear();
    this.forgetStages();
  }

  forgetStages(): void {
    this.#stages.clear();
    this.#byName.clear();
    this.#plans.clear();
  }

  /** The tenant's number; a new tenant is entered. */
  tenant(name: string): number {
    const known = this.findTenant(name);
    if (known !== undefined) return known;
    const { id } = this.#core.statement(ADD_TENANT).get(name) as { id: number };
    this.#tenantIds.set(name, id);
    return id;
  }

  findTenant(name: string): number | undefined {
    const cached = this.#tenantIds.get(name);
    if (cached !== undefined) return cached;
    const row = this.#core.statement(TENANT_ID).get(name) as { id: number } | undefined;
    if (row) this.#tenantIds.set(name, row.id);
    return row?.id;
  }

  tenantName(id: number): string {
    let name = this.#tenantNames.get(id);
    if (name === undefined) {
      name = (this.#core.statement(TENANT_NAME).get(id) as { name: string }).name;
      this.#tenantNames.set(id, name);
    }
    return name;
  }

  instanceName(id: number): string {
    const row = this.#core.statement(INSTANCE_NAME).get(id) as { name: string } | undefined;
    return row?.name ?? `instance-${id}`;
  }

  stage(id: number): StageRow {
    const row = this.#stages.get(id) ?? this.#load().#stages.get(id);
    if (!row) throw new Error(`stage ${id} is not in the store`);
    return row;
  }

  findStage(kind: string, stage: string): StageRow | undefined {
    const name = `${kind}/${stage}`;
    return this.#byName.get(name) ?? this.#load().#byName.get(name);
  }

  firstStage(kind: string): StageRow | undefined {
    return this.stagesOf(kind)[0];
  }

  stagesOf(kind: string): StageRow[] {
    const pick = () => [...this.#stages.values()].filter((row) => row.kindName === kind && row.position < RETIRED);
    const cached = pick();
    if (cached.length > 0) return cached;
    this.#load();
    return pick();
  }

  allStages(): StageRow[] {
    this.#load();
    return [...this.#stages.values()];
  }

  plan(kind: number): KindPlan {
    const plan = this.#plans.get(kind) ?? this.#load().#plans.get(kind);
    if (!plan) throw new Error(`kind ${kind} is not in the store`);
    return plan;
  }

  /** The plan of a stage; a stage that its kind no longer has follows the kind's last one. */
  stagePlan(stage: StageRow): StagePlan & { last: boolean } {
    const { stages } = this.plan(stage.kind);
    const plan = stages.find((candidate) => candidate.name === stage.name) ?? (stages.at(-1) as StagePlan);
    return { ...plan, last: stage.next === undefined };
  }

  register(plans: KindPlan[]): void {
    const { statement } = this.#core;
    for (const plan of plans) {
      const { id: kind } = statement(UPSERT_KIND).get(plan.name, JSON.stringify(plan)) as { id: number };
      statement(RETIRE_STAGES).run(kind);
      const ids = plan.stages.map(
        (stage, position) => (statement(UPSERT_STAGE).get(kind, stage.name, position) as { id: number }).id,
      );
      for (let i = 0; i + 1 < ids.length; i++) statement(LINK_STAGE).run(ids[i + 1] as number, ids[i] as number);
    }
    this.forgetStages();
  }

  #load(): this {
    for (const row of this.#core.statement(STAGES).all() as unknown as (StageRow & { next: number | null })[]) {
      const stage = { ...row, next: row.next ?? undefined };
      this.#stages.set(stage.id, stage);
      this.#byName.set(`${stage.kindName}/${stage.name}`, stage);
    }
    for (const row of this.#core.statement(PLANS).all() as { id: number; plan: string }[]) {
      this.#plans.set(row.id, JSON.parse(row.plan));
    }
    return this;
  }
}

/** Positions from here on belong to stages that their kind no longer has. */
const RETIRED = 1000;
