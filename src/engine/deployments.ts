import { AppError } from "../lib/app-error.ts";
import type { DeploymentFacts, Store } from "../store/store.ts";

/** What one version of the application registered, and whether it can be taken away. */
export interface DeploymentView {
  label: string;
  /** The highest is the newest. Missing: no worker of it was ever started. */
  number?: number;
  plans: { kind: string; stages: string[] }[];
  /** The living processes that work for it. */
  processes: string[];
  /** Running: jobs its processes hold. Pending: jobs that no process of another deployment may take. */
  jobs: { pending: number; running: number };
  /** Drained: stopping its processes leaves no job behind. */
  removable: boolean;
}

/** A stage with jobs that no living process serves. */
export interface UnservedStage {
  kind: string;
  /** null: the kind has no plan yet, since no worker ever served it. */
  stage: string | null;
  jobs: number;
  /** The newest deployment that had the stage. */
  lastServedBy?: string;
}

/** `kind/stage`, or the kind alone where it has no plan yet. */
export function unservedName({ kind, stage }: UnservedStage): string {
  return stage === null ? kind : `${kind}/${stage}`;
}

export class Deployments {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The newest first. */
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
      throw new AppError("conflict", answer.conflict, { hint: "Stop its processes first, or wait until they end." });
  }
}

type Deployment = DeploymentFacts["deployments"][number];
type Stage = DeploymentFacts["stages"][number];
type Worker = DeploymentFacts["workers"][number];

function viewOf(deployment: Deployment, facts: DeploymentFacts): DeploymentView {
  const own = facts.workers.filter((worker) => worker.deployment === deployment.id);
  const others = facts.workers.filter((worker) => worker.deployment !== deployment.id);
  const pending = facts.stages
    .filter((stage) => belongsTo(deployment, own, stage) && !others.some((worker) => mayTake(worker, stage)))
    .reduce((sum, stage) => sum + stage.pending, 0);
  const running = own.reduce((sum, worker) => sum + worker.running, 0);
  return {
    label: deployment.label,
    ...(deployment.number !== undefined && { number: deployment.number }),
    plans: deployment.plans,
    processes: [...new Set(own.map((worker) => worker.process))],
    jobs: { pending, running },
    removable: pending === 0 && running === 0,
  };
}

/** Its processes take the stage's jobs, or did when they lived. */
function belongsTo({ id, plans }: Deployment, own: Worker[], stage: Stage): boolean {
  if (stage.pin !== 0) return stage.pin === id;
  if (own.some((worker) => mayTake(worker, stage))) return true;
  return plans.some(({ kind, stages }) => kind === stage.kind && stages.includes(stage.stage));
}

function mayTake(worker: Worker, { kind, stage, pin, needs }: Stage): boolean {
  if (worker.kind !== kind || !worker.serves.includes(stage)) return false;
  return (pin === 0 || pin === worker.deployment) && worker.level >= needs;
}

export function unservedStages({ deployments, workers, stages }: DeploymentFacts): UnservedStage[] {
  const unserved = new Map<string, UnservedStage>();
  for (const stage of stages) {
    if (stage.pending === 0 || workers.some((worker) => mayTake(worker, stage))) continue;
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
