// What a process knows of kinds, plans and stages. A stage row belongs to one plan of its kind, and its link to the next one
// never changes: so a job's stage alone says how the job goes on, whatever was registered since. The same in both stores.

import { ENGINE_LEVEL, type KindPlan, noPolicy, type StagePlan, stagePolicy } from "../job/plan.ts";

export interface StageRow {
  id: number;
  kind: number;
  kindName: string;
  /** "" for jobs that were accepted before any plan of their kind was known. */
  name: string;
  plan: number | undefined;
  /** The deployment whose workers alone may take its jobs; 0: all that have the stage's name. */
  pin: number;
  position: number;
  next: number | undefined;
  /** One number for all rows of the same kind and name: limits on a stage hold over all its plans. */
  queue: number;
}

export interface PlanRow {
  id: number;
  kind: number;
  stages: string[];
  needs: number;
}

/** A plan and the deployment that its jobs are pinned to, or 0. */
export interface Choice {
  plan: number;
  pin: number;
}

/** A living process that works on a kind. */
export interface WorkerRow extends Choice {
  /** Of its process: of two with the same number, the one that started last counts. */
  instance: number;
  kind: number;
  /** Of its deployment. */
  number: number;
  policy: string;
}

export interface KindRow {
  id: number;
  name: string;
  /** Of its last worker. */
  policy: string;
  /** What the highest deployment that ever worked on it ran. */
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
  /** By deployment, the highest first. */
  workers: WorkerRow[];
}

export class Catalog {
  readonly #stages = new Map<number, StageRow>();
  readonly #plans = new Map<number, PlanRow>();
  readonly #kinds = new Map<string, Kind>();
  readonly #rules = new Map<number, KindPlan>();
  readonly #inOrder = new Map<string, StageRow[]>();
  readonly #waiting = new Map<string, StageRow>();
  readonly #served = new Map<string, readonly StageRow[]>();

  constructor({ kinds, plans, stages, workers }: CatalogRows) {
    for (const plan of plans) this.#plans.set(plan.id, plan);
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

  /** All stages of the job's plan, in order; none where it has no plan yet. */
  stagesOf({ plan, pin }: StageRow): readonly StageRow[] {
    return plan === undefined ? [] : (this.#inOrder.get(`${plan} ${pin}`) ?? []);
  }

  /** The stages of a kind that was registered under several plans: those of the plan a submission would get come first. */
  stagesOfKind(kind: string, own?: Choice): readonly StageRow[] {
    const first = this.firstStage(kind, own);
    return first ? this.stagesOf(first) : [];
  }

  /**
   * Where a new job starts: by the plan of the living worker with the highest deployment number; where none lives, by the
   * submitter's own plan, or else by the last one that was worked on; where there is none, without a plan.
   */
  firstStage(kind: string, own?: Choice): StageRow | undefined {
    const known = this.#kinds.get(kind);
    if (!known) return undefined;
    const choice =
      known.workers.find((worker) => this.#mayUse(worker)) ??
      [own, known.last].find((each) => each && this.#mayUse(each));
    return choice ? this.#ofPlan(choice.plan, choice.pin)[0] : this.#waiting.get(kind);
  }

  /** By kind, the stages that jobs go through which start at these: of the kinds whose plan is another than the process's own. */
  foreignPlans(starts: readonly StageRow[], own: ReadonlyMap<string, Choice>): Record<string, string[]> | undefined {
    let plans: Record<string, string[]> | undefined;
    for (const start of starts) {
      if (start.plan !== undefined && own.get(start.kindName)?.plan === start.plan) continue;
      plans ??= {};
      plans[start.kindName] ??= this.stagesOf(start).map(({ name }) => name);
    }
    return plans;
  }

  /** The rows whose jobs a worker takes for a stage: of all plans that this engine can work, under its name or an earlier one. */
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
      this.#served.set(key, rows);
    }
    return rows;
  }

  /** All rows that share a stage's queue. */
  sharing({ queue }: StageRow): number[] {
    return this.stages().flatMap((row) => (row.queue === queue ? [row.id] : []));
  }

  /** Its plan needs a newer engine: this one leaves its jobs alone. */
  isTooNew({ plan }: StageRow): boolean {
    return plan !== undefined && (this.#plans.get(plan)?.needs ?? 0) > ENGINE_LEVEL;
  }

  /** How the kind's jobs are retried and kept. */
  rules(kind: number): KindPlan | undefined {
    return this.#rules.get(kind);
  }

  stageRules(stage: StageRow): StagePlan & { last: boolean } {
    const rules = this.#rules.get(stage.kind) ?? noPolicy(stage.kindName);
    return { ...stagePolicy(rules, stage.name), last: stage.next === undefined };
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

function newestFirst(a: WorkerRow, b: WorkerRow): number {
  return b.number - a.number || b.instance - a.instance;
}

function rulesOf(kind: string, policy: string): KindPlan {
  return policy === "" ? noPolicy(kind) : (JSON.parse(policy) as KindPlan);
}
