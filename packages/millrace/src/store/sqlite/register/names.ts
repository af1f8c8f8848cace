import type { KindPlan, StagePlan } from "../../../job/kind/plan.ts";
import { LIMIT_COLUMNS, OwnLimits, type TenantLimitRow } from "../../limits/own-limits.ts";
import {
  Catalog,
  type Choice,
  type KindRow,
  type PlanRow,
  type StageRow,
  type WorkerRow,
} from "../../plans/catalog.ts";
import type { Database } from "../core.ts";

export type { StageRow } from "../../plans/catalog.ts";

const TENANT_ID = "SELECT id FROM tenant WHERE name = ?";
const TENANT_NAME = "SELECT name FROM tenant WHERE id = ?";
const ADD_TENANT = "INSERT INTO tenant (name) VALUES (?) RETURNING id";
const KINDS = `SELECT id, name, plan AS policy, last_plan, last_pin FROM kind`;
const PLANS = "SELECT id, kind, stages, needs FROM plan";
const STAGES = `SELECT stage.id, stage.kind, kind.name AS kindName, stage.name, stage.plan, pin, position, next
  FROM stage JOIN kind ON kind.id = stage.kind`;
// After this time without a renewal, a process counts as dead here, even before it is buried.
const WORKERS = `SELECT worker.instance, worker.kind, worker.plan, deployment.number, worker.policy,
    CASE WHEN worker.pinned THEN worker.deployment ELSE 0 END AS pin, instance.level
  FROM worker JOIN deployment ON deployment.id = worker.deployment JOIN instance ON instance.id = worker.instance
  WHERE instance.expires_at > ? AND instance.draining = 0`;
const INSTANCE_NAME = "SELECT name FROM instance WHERE id = ?";
const VERSION = "SELECT value FROM meta WHERE name = 'plans_version'";
const LIMITS_VERSION = "SELECT value FROM meta WHERE name = 'limits_version'";
const OWN_LIMITS = `SELECT id, ${LIMIT_COLUMNS} FROM tenant WHERE limited`;

/** Names and their numbers. A row that is deleted was used by no job and no process for an hour (plans/unused.ts), so what was once read stays true. */
export class Names {
  readonly #core: Database;
  readonly #now: () => number;
  #tenantIds = new Map<string, number>();
  #tenantNames = new Map<number, string>();
  #catalog: Catalog | undefined;
  #version: string | undefined;
  #ownLimits: OwnLimits | undefined;
  #limitsVersion: string | undefined;
  /** Inside a transaction no other process changes anything, so one look at the version is enough. */
  #looked: "outside" | "not yet" | "looked" = "outside";
  /** What this process itself registered, by kind, and the deployment whose pinned jobs it may take. */
  #own: ReadonlyMap<string, Choice> = new Map();
  #deployment = 0;

  constructor(core: Database, now: () => number = Date.now) {
    this.#core = core;
    this.#now = now;
  }

  /** After a rollback: a number given to a name may be gone again. */
  reset(): void {
    this.#tenantIds.clear();
    this.#tenantNames.clear();
    this.forgetStages();
    this.forgetLimits();
  }

  forgetStages(): void {
    this.#catalog = undefined;
  }

  /** The limits that tenants have of their own. */
  get ownLimits(): OwnLimits {
    if (this.#ownLimits === undefined) this.#loadLimits();
    return this.#ownLimits as OwnLimits;
  }

  forgetLimits(): void {
    this.#ownLimits = undefined;
  }

  transactionBegins(): void {
    this.#looked = "not yet";
  }

  transactionEnds(): void {
    this.#looked = "outside";
  }

  /**
   * Reads the catalog again if a process changed it. Call this before anything that depends on which processes live.
   */
  refresh(): void {
    if (this.#looked === "looked") return;
    if (this.#looked === "not yet") this.#looked = "looked";
    if (this.#catalog === undefined && this.#ownLimits === undefined) return;
    if (this.#readVersion() === this.#version) return;
    this.forgetStages();
    this.#compareLimits();
  }

  registered(own: ReadonlyMap<string, Choice>, deployment: number): void {
    this.#own = own;
    this.#deployment = deployment;
    this.forgetStages();
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
    const row = this.#read().stage(id) ?? this.#load().stage(id);
    if (!row) throw new Error(`stage ${id} is not in the store`);
    return row;
  }

  /** Where a new job of the kind starts; undefined where no process ever registered it. */
  firstStage(kind: string): StageRow | undefined {
    const own = this.#own.get(kind);
    return this.#read().firstStage(kind, own) ?? this.#load().firstStage(kind, own);
  }

  foreignPlans(starts: readonly StageRow[]): Record<string, string[]> | undefined {
    return this.#read().foreignPlans(starts, this.#own);
  }

  /** All stages of the plan that the stage belongs to. */
  stagesOf(stage: StageRow): readonly StageRow[] {
    return this.#read().stagesOf(stage);
  }

  /** The stages of the plan that a submission would get. */
  stagesOfKind(kind: string): readonly StageRow[] {
    return this.#read().stagesOfKind(kind, this.#own.get(kind));
  }

  /** Where this process finds jobs for one of its stages. */
  served(kind: string, names: readonly string[]): readonly StageRow[] {
    return this.#read().served(kind, names, this.#deployment);
  }

  /** All rows whose jobs wait for the same stage. */
  sharing(stage: StageRow): number[] {
    return this.#read().sharing(stage);
  }

  /** The names under which workers take the jobs of the stage. */
  namesOf(stage: StageRow): string[] {
    return this.#read().namesOf(stage);
  }

  paceOwner(stage: StageRow): number {
    return this.#read().paceOwner(stage);
  }

  twinOf(stage: StageRow): StageRow | undefined {
    return this.#read().twinOf(stage);
  }

  isTooNew(stage: StageRow): boolean {
    return this.#read().isTooNew(stage);
  }

  allStages(): StageRow[] {
    return this.#load().stages();
  }

  rules(kind: number): KindPlan {
    const rules = this.#read().rules(kind) ?? this.#load().rules(kind);
    if (!rules) throw new Error(`kind ${kind} is not in the store`);
    return rules;
  }

  /** Whether jobs of the stage's kind run in the order of their submission. */
  isOrdered({ kind }: StageRow): boolean {
    return this.rules(kind).concurrency?.ordered === true;
  }

  /** How many jobs with the same key run at once, by kind. Kinds without keys are left out. */
  keyedKinds(): ReadonlyMap<number, number> {
    return this.#read().keyedKinds();
  }

  /** The kinds whose jobs count toward a shared limit. */
  kindsUnder(limit: string): readonly number[] {
    return this.#read().kindsUnder(limit);
  }

  stageRules(stage: StageRow): StagePlan & { last: boolean } {
    return this.#read().stageRules(stage);
  }

  #read(): Catalog {
    return this.#catalog ?? this.#load();
  }

  #readVersion(): string | undefined {
    return this.#valueOf(VERSION);
  }

  #valueOf(sql: string): string | undefined {
    return (this.#core.statement(sql).get() as { value: string } | undefined)?.value;
  }

  #compareLimits(): void {
    if (this.#ownLimits !== undefined && this.#valueOf(LIMITS_VERSION) !== this.#limitsVersion) this.forgetLimits();
  }

  #loadLimits(): void {
    this.#limitsVersion = this.#valueOf(LIMITS_VERSION);
    this.#ownLimits = new OwnLimits(this.#core.statement(OWN_LIMITS).all() as unknown as TenantLimitRow[]);
  }

  #load(): Catalog {
    const all = <Row>(sql: string, ...values: number[]) => this.#core.statement(sql).all(...values) as unknown as Row[];
    this.#version = this.#readVersion();
    this.#compareLimits();
    this.#catalog = new Catalog({
      kinds: all<KindRow & { last_plan: number | null; last_pin: number }>(KINDS).map(
        ({ id, name, policy, last_plan, last_pin }) => ({
          id,
          name,
          policy,
          last: last_plan === null ? undefined : { plan: last_plan, pin: last_pin },
        }),
      ),
      plans: all<PlanRow & { stages: string }>(PLANS).map((row) => ({ ...row, stages: JSON.parse(row.stages) })),
      stages: all<StageRow & { plan: number | null; next: number | null }>(STAGES).map((row) => ({
        ...row,
        plan: row.plan ?? undefined,
        next: row.next ?? undefined,
      })),
      workers: all<WorkerRow>(WORKERS, this.#now()),
    });
    return this.#catalog;
  }
}
