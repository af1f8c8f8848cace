import type { Job, Standing } from "../job/job.ts";
import { unreachable } from "../lib/unreachable.ts";
import type { EngineEvent, SettledEvent } from "./event.ts";

/**
 * What `millrace.listen()` reports: a job that moved, a pool of this process that changed, or that something changed in
 * another process ("elsewhere").
 */
export type Change =
  | { type: "job"; jobId: string; tenant: string; kind: string; stage: string; standing: Standing }
  | { type: "pool"; kind: string; stage: string; size: number; busy: number; error: number; problem?: string }
  | { type: "elsewhere" };

/** An event as the live feed shows it: small, and only where the job is now. */
export function changesOf(event: EngineEvent): Change[] {
  switch (event.type) {
    case "submitted":
      return event.jobs.map(changeOfJob);
    case "claimed": {
      const { kind, stage } = event;
      return event.jobs.map(({ lease: { jobId }, tenant }) => {
        return { type: "job", jobId, tenant, kind, stage, standing: "running" };
      });
    }
    case "settled":
      return changeOfSettled(event);
    case "released":
    case "cancelled":
      return [changeOfJob(event.job)];
    case "pool":
    case "elsewhere":
      return [event];
    case "refused":
    case "fired":
    case "written":
    case "progressed":
    case "revoked":
    case "cancelled-many":
      return [];
    default:
      return unreachable(event);
  }
}

function changeOfJob({ id, tenant, kind, stage, standing }: Job): Change {
  return { type: "job", jobId: id, tenant, kind, stage, standing };
}

function changeOfSettled({ kind, stage, job, settled }: SettledEvent): Change[] {
  if (settled.written === "lease-lost") return [];
  const { standing, nextStage } = settled;
  return [{ type: "job", jobId: job.lease.jobId, tenant: job.tenant, kind, stage: nextStage ?? stage, standing }];
}
