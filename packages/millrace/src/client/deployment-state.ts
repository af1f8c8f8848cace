import type { Deployment } from "./wire.ts";

export type DeploymentState = "working" | "idle" | "drained" | "stranded";

/**
 * One word for a deployment, for people. `drained`: its processes can be stopped. The newest deployment is `idle` instead: new jobs
 * go to it. `stranded`: jobs need one of its processes, and none lives.
 */
export function deploymentState(deployment: Deployment, all: readonly Deployment[]): DeploymentState {
  const { removable, processes, jobs, number = 0 } = deployment;
  if (!removable) return processes.length === 0 && jobs.pending > 0 ? "stranded" : "working";
  const isNewest = all.every((other) => (other.number ?? 0) <= number);
  return isNewest && processes.length > 0 ? "idle" : "drained";
}

/** Unpinning helps only jobs that are pinned. Other stranded jobs wait for a worker that has their stage. */
export function canUnpin({ processes, jobs }: Deployment): boolean {
  return processes.length === 0 && jobs.pinned > 0;
}
