import { FINISHED, type Job, stateOf } from "../job.ts";

/** The word people see: the stage's own while it is there, `not-started` before a pipeline's first claim. */
export function statusOf(job: Pick<Job, "standing" | "stage" | "stages" | "attempt" | "startedAt">): string {
  const state = stateOf(job.standing);
  if (FINISHED.has(job.standing)) return state;
  if (job.stages.length <= 1) return state === "running" ? job.stage : "pending";
  return job.startedAt === undefined ? "not-started" : job.stage;
}
