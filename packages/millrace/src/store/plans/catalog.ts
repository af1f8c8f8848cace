// Kinds, plans and stages in memory, for both stores. A stage row belongs to one plan, and its link to the next stage never
// changes. So a job's stage row alone says how the job goes on, whatever was registered since.

import {
  ENGINE_LEVEL,
  type KindPlan,
  namesOf,
  noPolicy,
  type StagePlan,
  stagePolicy,
  WORKFLOW_LEVEL,
} from "../../job/kind/plan.ts";
import { jobsPerKey } from "../decide/attempt/keys.ts";

export interface StageRow {
  id: number;
  kind: number;
  kindName: string;
  /** "" for jobs that were accepted before their kind had a plan. */
  name: string;
  plan: number | undefined;
  /** The id of the only deployment that may take its jobs; 0 for every worker with the stage's name. */
  pin: number;
  position: number;
  next: number | undefined;
  /** The same number for all rows of one kind and name: limits on a stage hold across its plans. */
  queue: number;
  /** Of a row that is served: one number for the stage under its current and earlier names. */
  paceOwner?: number;
}

export interface PlanRow {
  id: number;
  kind: number;
  stages: string[];
  needs: number;
}

/** A plan and the id of the deployment that its jobs are pinned to, or 0. */
export interface Choice {
  plan: number;
  pin: number;
}

/** A living process that works on a kind. */
export interface WorkerRow extends Choice {
  /** The id of the process. Of two workers with the same deployment number, the one that started last counts. */
  instance: number;
  kind: number;
  /** The number of its deployment. */
  number: number;
  policy: string;
  /** The feature level of its engine. */
  level: number;
}

export interface KindRow {
  id: number;
  name: string;
  /** The policy of its last worker, as JSON. */
  policy: string;
  /** The plan of the highest deployment number that ever had a worker of the kind. */
  last: Choice | undefined;
}

export interface CatalogRows {
  kinds: KindRow[];
  plans: PlanRow[];
  stages: Omit<StageRow, "queue">[];
  workers: WorkerRow[];
}

interface Kind extends KindRow {
  rules: KindPlan;
  /** By deployment number, the highest first. */
  workers: WorkerRow[];
}

export class Catalog {
  readonly #stages = new Map<number, StageRow>();
  readonly #plans = new Map<number, PlanRow>();
  /** A plan -> its twin for jobs that wait, or that others wait for. */
  readonly #twins = new Map<number, number>();
  readonly #kinds = new Map<string, Kind>();
  readonly #rules = new Map<number, KindPlan>();
  readonly #inOrder = new Map<string, StageRow[]>();
  readonly #waiting = new Map<string, StageRow>();
  readonly #served = new Map<string, readonly StageRow[]>();
  readonly #stageRules = new Map<number, StagePlan & { last: boolean }>();

  constructor({ kinds, plans, stages, workers }: CatalogRows) {
    for (const plan of plans) this.#plans.set(plan.id, plan);
    for (const plan of plans) {
      const twin = plans.find(
        (each) => each.needs === WORKFLOW_LEVEL && plan.needs < WORKFLOW_LEVEL && isAlike(each, plan),
      );
      if (twin) this.#twins.set(plan.id, twin.id);
    }
    for (const kind of kinds) {
      const living = workers.filter((worker) => worker.kind === kind.id).sort(newestFirst);
      const rules = rulesOf(kind.name, living[0]?.policy ?? kind.policy);
      this.#kinds.set(kind.name, { ...kind, rules, workers: living });
      this.#rules.set(kind.id, rules);
    }
    const queues = new Map<string, number>();
    for (const row of [...stages].sort((a, b) => a.id - b.id)) {
      const name = `${row.kind}/${row.name}`;
      const queue = queues.get(name) ?? row.id;
      queues.set(name, queue);
      const stage = { ...row, queue };
      this.#stages.set(row.id, stage);
      if (row.plan === undefined) this.#waiting.set(row.kindName, stage);
      else this.#ofPlan(row.plan, row.pin).push(stage);
    }
    for (const rows of this.#inOrder.values()) rows.sort((a, b) => a.position - b.position);
  }

  stage(id: number): StageRow | undefined {
    return this.#stages.get(id);
  }

  stages(): StageRow[] {
    return [...this.#stages.values()];
  }

  has(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  kindNames(): string[] {
    return [...this.#kinds.keys()];
  }

  /** All stages of the row's plan, in order; empty without a plan. */
  stagesOf({ plan, pin }: StageRow): readonly StageRow[] {
    return plan === undefined ? [] : (this.#inOrder.get(`${plan} ${pin}`) ?? []);
  }

  /** The stages of the plan that a new job of the kind would get. */
  stagesOfKind(kind: string, own?: Choice): readonly StageRow[] {
    const first = this.firstStage(kind, own);
    return first ? this.stagesOf(first) : [];
  }

  /**
   * The stage at which a new job starts. Its plan is that of the living worker with the highest deployment number. If none
   * lives, it is the submitter's own plan, else the last worker's. If the kind has never had a worker, the job has no plan.
   */
  firstStage(kind: string, own?: Choice): StageRow | undefined {
    const known = this.#kinds.get(kind);
    if (!known) return undefined;
    const choice =
      known.workers.find((worker) => this.#mayUse(worker)) ??
      [own, known.last].find((each) => each && this.#mayUse(each));
    if (!choice) return this.#waiting.get(kind);
    return this.#firstOfTwin(known, choice) ?? this.#ofPlan(choice.plan, choice.pin)[0];
  }

  /**
   * Once jobs of a plan have used waits, new ones start on its twin, so that both wait in one queue: woken jobs go first there
   * and tenants take turns. While a process of an older release works on the kind, they start where it finds them.
   */
  #firstOfTwin({ workers }: Kind, { plan, pin }: Choice): StageRow | undefined {
    const twin = this.#twins.get(plan);
    if (twin === undefined || workers.some(({ level }) => level < WORKFLOW_LEVEL)) return undefined;
    return this.#ofPlan(twin, pin)[0];
  }

  /** For jobs that start at these stages: the stage names of each kind whose plan differs from this process's own. */
  foreignPlans(starts: readonly StageRow[], own: ReadonlyMap<string, Choice>): Record<string, string[]> | undefined {
    let plans: Record<string, string[]> | undefined;
    for (const start of starts) {
      const plan = own.get(start.kindName)?.plan;
      if (plan !== undefined && (plan === start.plan || this.#twins.get(plan) === start.plan)) continue;
      plans ??= {};
      plans[start.kindName] ??= this.stagesOf(start).map(({ name }) => name);
    }
    return plans;
  }

  /** The rows whose jobs a worker takes for a stage: all plans that this engine can work, by current and earlier names. */
  served(kind: string, names: readonly string[], deployment: number): readonly StageRow[] {
    const key = `${kind} ${names.join(" ")}`;
    let rows = this.#served.get(key);
    if (!rows) {
      rows = this.stages().filter(
        (row) =>
          row.kindName === kind &&
          names.includes(row.name) &&
          (row.pin === 0 || row.pin === deployment) &&
          row.plan !== undefined &&
          !this.isTooNew(row),
      );
      // A stage and its earlier names are one stage, also for its pace.
      const paceOwner = Math.min(...rows.map(({ queue }) => queue));
      rows = rows.map((row) => ({ ...row, paceOwner }));
      this.#served.set(key, rows);
    }
    return rows;
  }

  /** The names under which workers take the jobs of a stage: its current name and earlier ones. */
  namesOf(stage: StageRow): string[] {
    const names = namesOf(this.stageRules(stage));
    return names.includes(stage.name) ? names : [stage.name];
  }

  /** The number that starts of a stage are counted under. */
  paceOwner(stage: StageRow): number {
    const names = this.namesOf(stage);
    const rows = this.stages().filter((row) => row.kind === stage.kind && names.includes(row.name));
    return Math.min(...rows.filter((row) => row.plan !== undefined && !this.isTooNew(row)).map(({ queue }) => queue));
  }

  /** All rows that share a stage's queue. */
  sharing({ queue }: StageRow): number[] {
    return this.stages().flatMap((row) => (row.queue === queue ? [row.id] : []));
  }

  /** The stage of the same name in the workflow twin of its plan; undefined where that has not been made. */
  twinOf(stage: StageRow): StageRow | undefined {
    if (stage.plan === undefined || this.needs(stage) >= WORKFLOW_LEVEL) return stage;
    const twin = this.#twins.get(stage.plan);
    return twin === undefined ? undefined : this.#ofPlan(twin, stage.pin).find(({ name }) => name === stage.name);
  }

  /** The engine level that the plan of the stage needs. */
  needs({ plan }: StageRow): number {
    return plan === undefined ? 0 : (this.#plans.get(plan)?.needs ?? 0);
  }

  /** Whether the plan needs a newer engine. This engine then leaves its jobs alone. */
  isTooNew(stage: StageRow): boolean {
    return this.needs(stage) > ENGINE_LEVEL;
  }

  /** The policy of the kind: retries and retention. */
  rules(kind: number): KindPlan | undefined {
    return this.#rules.get(kind);
  }

  /** Of the newest living worker that has the stage: a newer deployment may have dropped it. */
  stageRules(stage: StageRow): StagePlan & { last: boolean } {
    const rules = this.#stageRules.get(stage.id) ?? this.#rulesFor(stage);
    this.#stageRules.set(stage.id, rules);
    return rules;
  }

  /** How many jobs with the same key run at once, by kind. Kinds without keys are left out. */
  keyedKinds(): ReadonlyMap<number, number> {
    return new Map(
      [...this.#rules].flatMap(([kind, rules]) =>
        rules.concurrency?.keyed ? [[kind, jobsPerKey(rules)] as const] : [],
      ),
    );
  }

  /** The kinds whose jobs count toward a shared limit. */
  kindsUnder(limit: string): readonly number[] {
    return [...this.#rules].flatMap(([kind, { concurrency }]) => (concurrency?.limits?.includes(limit) ? [kind] : []));
  }

  #rulesFor({ kind, kindName, name, next }: StageRow): StagePlan & { last: boolean } {
    const { workers = [] } = this.#kinds.get(kindName) ?? {};
    const policies = workers.map((worker) => rulesOf(kindName, worker.policy));
    const own = policies.find(({ stages }) => stages.some((stage) => namesOf(stage).includes(name)));
    return { ...stagePolicy(own ?? this.#rules.get(kind) ?? noPolicy(kindName), name), last: next === undefined };
  }

  #mayUse({ plan }: Choice): boolean {
    return (this.#plans.get(plan)?.needs ?? Number.POSITIVE_INFINITY) <= ENGINE_LEVEL;
  }

  #ofPlan(plan: number, pin: number): StageRow[] {
    const key = `${plan} ${pin}`;
    let rows = this.#inOrder.get(key);
    if (!rows) {
      rows = [];
      this.#inOrder.set(key, rows);
    }
    return rows;
  }
}

function isAlike(a: PlanRow, b: PlanRow): boolean {
  return a.kind === b.kind && a.stages.length === b.stages.length && a.stages.every((name, i) => name === b.stages[i]);
}

function newestFirst(a: WorkerRow, b: WorkerRow): number {
  return b.number - a.number || b.instance - a.instance;
}

function rulesOf(kind: string, policy: string): KindPlan {
  return policy === "" ? noPolicy(kind) : (JSON.parse(policy) as KindPlan);
}
