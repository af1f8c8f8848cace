import type { SettledEvent } from "../../events/event.ts";
import type { Job } from "../../job/job.ts";

/** A job that was deleted as it settled, from what its attempt knew of it. */
export function lastKnown({ kind, stage, job, outcome, settled, at }: SettledEvent): Job {
  return {
    id: job.lease.jobId,
    kind,
    stage,
    stages: [stage],
    tenant: job.tenant,
    standing: settled.written === "written" ? settled.standing : "cancelled",
    payload: job.payload,
    priority: job.priority,
    tags: job.tags,
    createdAt: job.createdAt,
    updatedAt: at,
    runAt: job.runAt,
    startedAt: job.claimedAt,
    finishedAt: at,
    attempt: job.attempt,
    maxAttempts: job.attempt,
    failures: 0,
    failuresTotal: 0,
    crashes: job.crashes,
    ...(outcome.type === "completed" && { result: outcome.result }),
    ...(outcome.type === "failed" && { failure: outcome.failure }),
    ...(job.traceId !== undefined && { traceId: job.traceId }),
  };
}
