import type { KindPlan, StagePlan } from "../../job/plan.ts";
import { texts } from "./arrays.ts";
import type { Runner } from "./connection.ts";
import type { Connections } from "./connections.ts";

export interface StageRow {
  id: number;
  kind: number;
  kindName: string;
  name: string;
  position: number;
  next: number | undefined;
}

const STAGES = `SELECT stage.id, stage.kind, kind.name AS "kindName", stage.name, position, next, kind.plan
  FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind ORDER BY kind, position`;
const VERSION = "SELECT value FROM millrace.meta WHERE name = 'names_version'";
const TENANTS = "SELECT id, name FROM millrace.tenant WHERE name = ANY($1::text[])";
const ADD_TENANTS = `INSERT INTO millrace.tenant (name) SELECT name FROM unnest($1::text[]) AS name ORDER BY name
  ON CONFLICT (name) DO NOTHING`;
const UPSERT_KIND = `INSERT INTO millrace.kind (name, plan) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET plan = excluded.plan RETURNING id`;
const RETIRE_STAGES = "UPDATE millrace.stage SET position = 1000 + id, next = NULL WHERE kind = $1";
const UPSERT_STAGE = `INSERT INTO millrace.stage (kind, name, position) VALUES ($1, $2, $3)
  ON CONFLICT (kind, name) DO UPDATE SET position = excluded.position, next = NULL RETURNING id`;
const LINK_STAGE = "UPDATE millrace.stage SET next = $1 WHERE id = $2";
const BUMP = `INSERT INTO millrace.meta (name, value) VALUES ('names_version', '1')
  ON CONFLICT (name) DO UPDATE SET value = (meta.value::bigint + 1)::text RETURNING value`;

/** Positions from here on belong to stages that their kind no longer has. */
const RETIRED = 1000;

/** Names and their numbers. Rows here are never deleted, so what was once read stays true; plans may change. */
export class Names {
  readonly #connections: Connections;
  #tenants = new Map<string, number>();
  #stages = new Map<number, StageRow>();
  #byName = new Map<string, StageRow>();
  /** By kind, in order. */
  #ofKinds = new Map<string, StageRow[]>();
  #plans = new Map<number, KindPlan>();
  #version: string | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Before a look at kinds that another process may have registered. */
  async knowKinds(kinds: Iterable<string>): Promise<void> {
    for (const kind of kinds) if (this.stagesOf(kind).length === 0) return this.load();
  }

  async knowStages(ids: Iterable<number>): Promise<void> {
    for (const id of ids) if (!this.#stages.has(id)) return this.load();
  }

  /** Another process registered its kinds anew. */
  async changedTo(version: string | null): Promise<void> {
    if ((version ?? undefined) !== this.#version) await this.load();
  }

  async load(): Promise<void> {
    const [version] = await this.#connections.names.run<{ value: string }>(VERSION, []);
    const rows = await this.#connections.names.run<StageRow & { next: number | null; plan: string }>(STAGES, []);
    this.#stages.clear();
    this.#byName.clear();
    this.#ofKinds.clear();
    this.#version = version?.value;
    for (const { plan, next, ...row } of rows) {
      const stage = { ...row, next: next ?? undefined };
      this.#stages.set(stage.id, stage);
      this.#byName.set(`${stage.kindName}/${stage.name}`, stage);
      this.#plans.set(stage.kind, JSON.parse(plan));
      if (stage.position >= RETIRED) continue;
      const ofKind = this.#ofKinds.get(stage.kindName);
      if (ofKind) ofKind.push(stage);
      else this.#ofKinds.set(stage.kindName, [stage]);
    }
  }

  /** The tenants' numbers; new ones are entered. */
  async tenants(names: Iterable<string>): Promise<Map<string, number>> {
    const wanted = new Set(names);
    const missing = [...wanted].filter((name) => !this.#tenants.has(name));
    if (missing.length > 0) {
      await this.#findTenants(missing);
      const fresh = missing.filter((name) => !this.#tenants.has(name));
      if (fresh.length > 0) {
        await this.#connections.names.run(ADD_TENANTS, [texts(fresh)]);
        await this.#findTenants(fresh);
      }
    }
    return new Map([...wanted].map((name) => [name, this.#tenants.get(name) as number]));
  }

  async findTenant(name: string): Promise<number | undefined> {
    if (!this.#tenants.has(name)) await this.#findTenants([name]);
    return this.#tenants.get(name);
  }

  async #findTenants(names: string[]): Promise<void> {
    const rows = await this.#connections.names.run<{ id: number; name: string }>(TENANTS, [texts(names)]);
    // A server that outlives many tenants must not keep them all in memory.
    if (this.#tenants.size > MOST_TENANTS_KEPT) this.#tenants.clear();
    for (const { id, name } of rows) this.#tenants.set(name, id);
  }

  stage(id: number): StageRow {
    const row = this.#stages.get(id);
    if (!row) throw new Error(`stage ${id} is not in the store`);
    return row;
  }

  findStage(kind: string, stage: string): StageRow | undefined {
    return this.#byName.get(`${kind}/${stage}`);
  }

  firstStage(kind: string): StageRow | undefined {
    return this.stagesOf(kind)[0];
  }

  stagesOf(kind: string): readonly StageRow[] {
    return this.#ofKinds.get(kind) ?? [];
  }

  allStages(): StageRow[] {
    return [...this.#stages.values()];
  }

  plan(kind: number): KindPlan {
    const plan = this.#plans.get(kind);
    if (!plan) throw new Error(`kind ${kind} is not in the store`);
    return plan;
  }

  /** The plan of a stage; a stage that its kind no longer has follows the kind's last one. */
  stagePlan(stage: StageRow): StagePlan & { last: boolean } {
    const { stages } = this.plan(stage.kind);
    const plan = stages.find((candidate) => candidate.name === stage.name) ?? (stages.at(-1) as StagePlan);
    return { ...plan, last: stage.next === undefined };
  }

  async register(plans: KindPlan[]): Promise<void> {
    await this.#connections.write.transact(async (tx) => {
      // Its row is written first and by everybody, so that two who register stand in line.
      await tx.run(BUMP, []);
      for (const plan of plans) await enter(tx, plan);
    });
    await this.load();
  }
}

const MOST_TENANTS_KEPT = 100_000;

async function enter(tx: Runner, plan: KindPlan): Promise<void> {
  const [kind] = await tx.run<{ id: number }>(UPSERT_KIND, [plan.name, JSON.stringify(plan)]);
  const id = kind?.id as number;
  await tx.run(RETIRE_STAGES, [id]);
  const ids: number[] = [];
  for (const [position, stage] of plan.stages.entries()) {
    const [row] = await tx.run<{ id: number }>(UPSERT_STAGE, [id, stage.name, position]);
    ids.push(row?.id as number);
  }
  for (let i = 0; i + 1 < ids.length; i++) await tx.run(LINK_STAGE, [ids[i + 1] as number, ids[i] as number]);
}
