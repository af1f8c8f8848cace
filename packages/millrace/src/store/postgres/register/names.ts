import { type KindPlan, type StagePlan, WORKFLOW_LEVEL } from "../../../job/kind/plan.ts";
import { LIMIT_COLUMNS, OwnLimits, type TenantLimitRow } from "../../limits/own-limits.ts";
import {
  Catalog,
  type Choice,
  type KindRow,
  type PlanRow,
  type StageRow,
  type WorkerRow,
} from "../../plans/catalog.ts";
import { texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import { type Connections, SNAPSHOT } from "../connection/connections.ts";

export type { StageRow } from "../../plans/catalog.ts";

const KINDS = "SELECT id, name, plan AS policy, last_plan, last_pin FROM millrace.kind";
const PLANS = "SELECT id, kind, stages, needs FROM millrace.plan";
const STAGES = `SELECT stage.id, stage.kind, kind.name AS "kindName", stage.name, stage.plan, pin, position, next
  FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind`;
// After this time without a renewal, a process counts as dead here, even before it is buried.
const WORKERS = `SELECT worker.instance, worker.kind, worker.plan, deployment.number, worker.policy,
    CASE WHEN worker.pinned THEN worker.deployment ELSE 0 END AS pin, instance.level
  FROM millrace.worker JOIN millrace.deployment ON deployment.id = worker.deployment
    JOIN millrace.instance ON instance.id = worker.instance WHERE instance.expires_at > ${NOW} AND NOT instance.draining`;
/** For use within another statement. */
export const NAMES_VERSION = "coalesce((SELECT value FROM millrace.meta WHERE name = 'names_version'), '')";
const VERSION = `SELECT ${NAMES_VERSION} AS value`;
const LIMITS_VERSION = "SELECT value FROM millrace.meta WHERE name = 'limits_version'";
const OWN_LIMITS = `SELECT id, ${LIMIT_COLUMNS} FROM millrace.tenant WHERE limited`;
const TENANTS = "SELECT id, name FROM millrace.tenant WHERE name = ANY($1::text[])";
const ADD_TENANTS = `INSERT INTO millrace.tenant (name) SELECT name FROM unnest($1::text[]) AS name ORDER BY name
  ON CONFLICT (name) DO NOTHING`;

/**
 * Names and their numbers. A row is deleted only when nothing has used it for an hour, so what was once read stays
 * true; which processes work on which kinds may change.
 */
export class Names {
  readonly #connections: Connections;
  readonly #given: () => number | null;
  #tenants = new Map<string, number>();
  #catalog = new Catalog({ kinds: [], plans: [], stages: [], workers: [] });
  #version = "";
  #ownLimits = new OwnLimits([]);
  #limitsVersion: string | undefined;
  /** What this process itself registered, by kind, and the deployment whose pinned jobs it may take. */
  #own: ReadonlyMap<string, Choice> = new Map();
  #deployment = 0;

  constructor(connections: Connections, given: () => number | null) {
    this.#connections = connections;
    this.#given = given;
  }

  /** The version of the catalog that was last read. A process that registers or ends raises it. */
  get version(): string {
    return this.#version;
  }

  /** The limits that tenants have of their own. */
  get ownLimits(): OwnLimits {
    return this.#ownLimits;
  }

  registered(own: ReadonlyMap<string, Choice>, deployment: number): void {
    this.#own = own;
    this.#deployment = deployment;
  }

  /** Reads kinds that are not known yet. Call this before a look at kinds that another process may have registered. */
  async loadKinds(kinds: Iterable<string>): Promise<void> {
    for (const kind of kinds) if (!this.#catalog.has(kind)) return this.load();
  }

  async knowStages(ids: Iterable<number>): Promise<void> {
    for (const id of ids) if (!this.#catalog.stage(id)) return this.load();
  }

  /** Costs one small read, unless a process registered its kinds or ended since. Then it reads the whole catalog. */
  async refresh(): Promise<void> {
    const [version] = await this.#connections.names.run<{ value: string }>(VERSION, []);
    await this.changedTo(version?.value ?? "");
  }

  /** Reads the catalog, because another process registered its kinds or ended. */
  async changedTo(version: string): Promise<void> {
    if (version !== this.#version) await this.load();
  }

  /**
   * Reads all rows from one snapshot. A process may register its kinds meanwhile, and a stage whose kind was not read
   * would be unknown here until the next change.
   */
  async load(): Promise<void> {
    const moment = this.#given();
    const { version, limitsVersion, limits, catalog } = await this.#connections.names.transact(
      async (tx) => {
        const [[version], [limitsVersion], kinds, plans, stages, workers] = await Promise.all([
          tx.run<{ value: string }>(VERSION, []),
          tx.run<{ value: string }>(LIMITS_VERSION, []),
          tx.run<KindRow & { last_plan: number | null; last_pin: number }>(KINDS, []),
          tx.run<PlanRow & { stages: string }>(PLANS, []),
          tx.run<StageRow & { plan: number | null; next: number | null }>(STAGES, []),
          tx.run<WorkerRow>(WORKERS, [moment]),
        ]);
        const isKnown = limitsVersion?.value === this.#limitsVersion;
        const limits = isKnown ? undefined : new OwnLimits(await tx.run<TenantLimitRow>(OWN_LIMITS, []));
        const catalog = new Catalog({
          kinds: kinds.map(({ id, name, policy, last_plan, last_pin }) => ({
            id,
            name,
            policy,
            last: last_plan === null ? undefined : { plan: last_plan, pin: last_pin },
          })),
          plans: plans.map((row) => ({ ...row, stages: JSON.parse(row.stages) })),
          stages: stages.map((row) => ({ ...row, plan: row.plan ?? undefined, next: row.next ?? undefined })),
          workers,
        });
        return { version: version?.value ?? "", limitsVersion: limitsVersion?.value, limits, catalog };
      },
      { begin: SNAPSHOT },
    );
    this.#catalog = catalog;
    this.#version = version;
    this.#ownLimits = limits ?? this.#ownLimits;
    this.#limitsVersion = limitsVersion;
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
    const row = this.#catalog.stage(id);
    if (!row) throw new Error(`stage ${id} is not in the store`);
    return row;
  }

  /** Where a new job of the kind starts; undefined where no process ever registered it. One with flags starts in the twin. */
  firstStage(kind: string, flags = 0): StageRow | undefined {
    const stage = this.#catalog.firstStage(kind, this.#own.get(kind));
    return stage && flags !== 0 ? (this.twinOf(stage) ?? stage) : stage;
  }

  foreignPlans(starts: readonly StageRow[]): Record<string, string[]> | undefined {
    return this.#catalog.foreignPlans(starts, this.#own);
  }

  /** All stages of the plan that the stage belongs to. */
  stagesOf(stage: StageRow): readonly StageRow[] {
    return this.#catalog.stagesOf(stage);
  }

  /** The stages of the plan that a submission would get. */
  stagesOfKind(kind: string): readonly StageRow[] {
    return this.#catalog.stagesOfKind(kind, this.#own.get(kind));
  }

  /** Where this process finds jobs for one of its stages. */
  served(kind: string, names: readonly string[]): readonly StageRow[] {
    return this.#catalog.served(kind, names, this.#deployment);
  }

  /** All rows whose jobs wait for the same stage. */
  sharing(stage: StageRow): number[] {
    return this.#catalog.sharing(stage);
  }

  /** The names under which workers take the jobs of the stage. */
  namesOf(stage: StageRow): string[] {
    return this.#catalog.namesOf(stage);
  }

  paceOwner(stage: StageRow): number {
    return this.#catalog.paceOwner(stage);
  }

  /** Whether the stage belongs to the workflow twin of a plan. */
  isTwin(stage: StageRow): boolean {
    return this.#catalog.needs(stage) >= WORKFLOW_LEVEL;
  }

  twinOf(stage: StageRow): StageRow | undefined {
    return this.#catalog.twinOf(stage);
  }

  isTooNew(stage: StageRow): boolean {
    return this.#catalog.isTooNew(stage);
  }

  allStages(): StageRow[] {
    return this.#catalog.stages();
  }

  rules(kind: number): KindPlan {
    const rules = this.#catalog.rules(kind);
    if (!rules) throw new Error(`kind ${kind} is not in the store`);
    return rules;
  }

  /** Whether jobs of the stage's kind run in the order of their submission. */
  isOrdered({ kind }: StageRow): boolean {
    return this.rules(kind).concurrency?.ordered === true;
  }

  /** How many jobs with the same key run at once, by kind. Kinds without keys are left out. */
  keyedKinds(): ReadonlyMap<number, number> {
    return this.#catalog.keyedKinds();
  }

  /** The kinds whose jobs count toward a shared limit. */
  kindsUnder(limit: string): readonly number[] {
    return this.#catalog.kindsUnder(limit);
  }

  stageRules(stage: StageRow): StagePlan & { last: boolean } {
    return this.#catalog.stageRules(stage);
  }
}

const MOST_TENANTS_KEPT = 100_000;
