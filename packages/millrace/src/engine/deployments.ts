import { AppError } from "../lib/app-error.ts";
import type { Store } from "../store/store.ts";
import type { DeploymentFacts } from "../store/verbs/processes.ts";

/** One version of the application, and whether its processes can be stopped. */
export interface DeploymentView {
  /** The label given to `Millrace.open({ deployment })`. */
  label: string;
  /**
   * Deployments are numbered in order; the highest number is the newest. Missing if the deployment has never had a
   * worker.
   */
  number?: number;
  /** The kinds that it registered, each with its stages in order. */
  plans: {
    /** The name of the kind. */
    kind: string;
    /** The names of its stages. */
    stages: string[];
  }[];
  /** The names of its living worker processes. */
  processes: string[];
  /** The jobs that need this deployment. */
  jobs: {
    /** Jobs with a stage ahead of them that no other living deployment serves. */
    pending: number;
    /** Jobs that its processes run. */
    running: number;
    /** Pending jobs that only its own processes may take. */
    pinned: number;
  };
  /** True when it is drained: stopping its processes leaves no job behind. */
  removable: boolean;
}

/** A stage with waiting jobs that no living process serves. */
export interface UnservedStage {
  /** The kind of the waiting jobs. */
  kind: string;
  /** The stage they wait for. `null` if the kind has never had a worker. */
  stage: string | null;
  /** The number of waiting jobs. */
  jobs: number;
  /** The label of the newest deployment that had the stage. */
  lastServedBy?: string;
}

/** `kind/stage`, or the kind alone if it has no plan yet. */
export function unservedName({ kind, stage }: Pick<UnservedStage, "kind" | "stage">): string {
  return stage === null ? kind : `${kind}/${stage}`;
}

/** What to do about a kind whose jobs wait for its first worker. */
export function withoutWorker(kind: string): string {
  return (
    `No worker has ever served the kind "${kind}". ` +
    "Start one: pass work(contract).stage(…), not the contract alone, to Millrace.open."
  );
}

/** Adds a hint for the log: a kind that never had a worker has no stage that could name the cause. */
export function withHint(unserved: UnservedStage): UnservedStage & { hint?: string } {
  return unserved.stage === null ? { ...unserved, hint: withoutWorker(unserved.kind) } : unserved;
}

export class Deployments {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Deployments, newest first. */
  async list(): Promise<DeploymentView[]> {
    const facts = await this.#store.deployments();
    const views = facts.deployments.map((deployment) => viewOf(deployment, facts));
    return views
      .filter(({ number, jobs }) => number !== undefined || jobs.pending > 0)
      .sort((a, b) => (b.number ?? 0) - (a.number ?? 0));
  }

  async unserved(): Promise<UnservedStage[]> {
    return unservedStages(await this.#store.deployments());
  }

  /** Hands the pinned jobs of a deployment without processes to the newest one. */
  async unpin(label: string): Promise<void> {
    const answer = await this.#store.unpin(label);
    if (answer === "not-found") throw new AppError("deployment-unknown", `No deployment has the label "${label}".`);
    if (typeof answer === "object")
      throw new AppError("conflict", answer.conflict, { hint: "Stop the processes of the deployment first." });
  }
}

type Deployment = DeploymentFacts["deployments"][number];
type Stage = DeploymentFacts["stages"][number];
type Worker = DeploymentFacts["workers"][number];

function viewOf(deployment: Deployment, facts: DeploymentFacts): DeploymentView {
  const own = facts.workers.filter((worker) => worker.deployment === deployment.id);
  const others = facts.workers.filter((worker) => worker.deployment !== deployment.id);
  const needing = facts.stages.filter((stage) =>
    ahead(stage).some((each) => belongsTo(deployment, own, each) && !others.some((worker) => mayRun(worker, each))),
  );
  const pending = needing.reduce((sum, stage) => sum + stage.pending, 0);
  const running = own.reduce((sum, worker) => sum + worker.running, 0);
  const pinned = facts.stages.reduce((sum, stage) => sum + (stage.pin === deployment.id ? stage.pending : 0), 0);
  return {
    label: deployment.label,
    ...(deployment.number !== undefined && { number: deployment.number }),
    plans: deployment.plans,
    processes: [...new Set(own.map((worker) => worker.process))],
    jobs: { pending, running, pinned },
    // A job that runs elsewhere may still come to a stage that only this deployment has.
    removable: needing.length === 0 && running === 0,
  };
}

/** The stages that the jobs of a stage still have to pass, beginning with their own. */
function ahead(stage: Stage): Stage[] {
  return [stage.stage, ...stage.later].map((name) => ({ ...stage, stage: name }));
}

/** Whether the deployment's processes take jobs of the stage, or did while they lived. */
function belongsTo({ id, plans }: Deployment, own: Worker[], stage: Stage): boolean {
  if (stage.pin !== 0) return stage.pin === id;
  if (own.some((worker) => mayRun(worker, stage))) return true;
  return plans.some(({ kind, stages }) => kind === stage.kind && stages.includes(stage.stage));
}

function mayRun(worker: Worker, { kind, stage, pin, needs }: Stage): boolean {
  if (worker.draining || worker.kind !== kind || !worker.serves.includes(stage)) return false;
  return (pin === 0 || pin === worker.deployment) && worker.level >= needs;
}

export function unservedStages({ deployments, workers, stages }: DeploymentFacts): UnservedStage[] {
  const unserved = new Map<string, UnservedStage>();
  for (const stage of stages) {
    if (stage.pending === 0 || workers.some((worker) => mayRun(worker, stage))) continue;
    const name = `${stage.kind}/${stage.stage}`;
    const known = unserved.get(name);
    if (known) known.jobs += stage.pending;
    else unserved.set(name, { ...about(stage, deployments), jobs: stage.pending });
  }
  return [...unserved.values()];
}

function about({ kind, stage, pin }: Stage, deployments: Deployment[]): Omit<UnservedStage, "jobs"> {
  const last = deployments
    .filter(({ id, plans, number }) =>
      pin === 0
        ? number !== undefined && plans.some((plan) => plan.kind === kind && plan.stages.includes(stage))
        : id === pin,
    )
    .sort((a, b) => (b.number ?? 0) - (a.number ?? 0))[0];
  return { kind, stage: stage === "" ? null : stage, ...(last && { lastServedBy: last.label }) };
}
