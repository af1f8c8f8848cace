// What both stores read of the circumstances of a job in the same way.

import { type KindPlan, namesOf } from "../job/kind/plan.ts";
import type { StoreLimits } from "./store.ts";
import type { KindWorker } from "./verbs/circumstances.ts";

/** Counts stop here: the reader learns as much from "10,000 or more", and the read stays short. */
export const MOST_COUNTED = 10_000;

export interface WorkerFacts {
  process: string;
  deployment: string;
  /** JSON. */
  serves: string;
  /** JSON: what the process registered for the kind. */
  policy: string;
  level: number;
  draining: number | boolean;
  running: number;
}

/** `names`: those of the job's stage. `own`: the limits of this process, which hold for workers that tell none. */
export function kindWorker(facts: WorkerFacts, names: readonly string[], own: StoreLimits): KindWorker {
  const { process, deployment, serves, policy, level, draining, running } = facts;
  const plan = JSON.parse(policy) as KindPlan;
  const stage = plan.stages.find((each) => namesOf(each).some((name) => names.includes(name)));
  return {
    process,
    deployment,
    serves: JSON.parse(serves),
    level,
    isDraining: Boolean(draining),
    running,
    ...(stage?.processors !== undefined && { processors: stage.processors }),
    limits: plan.limits ?? { queueMax: own.queueMax, maxConcurrentPerTenant: own.maxConcurrentPerTenant },
  };
}
