import type { Failure } from "../job/failure.ts";
import type { Job } from "../job/job.ts";
import { claimedSubject, type JobNews, newsOfRevocation, newsOfSubmission, subjectOf } from "../job/report/job-news.ts";
import { unreachable } from "../lib/unreachable.ts";
import type { SettleAnswer } from "../store/verbs/attempts.ts";
import type { EngineEvent, SettledEvent } from "./event.ts";

/** An event as hooks hear it: with the payload, and everything that is known about what happened. */
export function newsOf(event: EngineEvent): JobNews[] {
  switch (event.type) {
    case "submitted":
      return event.jobs.flatMap(newsOfSubmission);
    case "fired":
      // The job may run or have ended by now; those are events of their own.
      return newsOfSubmission({ ...event.job, standing: "ready" });
    case "claimed":
      return event.jobs.map((job) => ({
        ...claimedSubject(event, job, job.claimedAt),
        name: "started",
        attempt: job.attempt,
        waitMs: Math.max(0, job.claimedAt - job.runAt),
      }));
    case "progressed": {
      const { job, progress, at } = event;
      return [{ ...claimedSubject(event, job, at), name: "progress", attempt: job.attempt, ...progress }];
    }
    case "settled":
      return newsOfSettled(event);
    case "revoked":
      return newsOfRevocation(event.job, event.at);
    case "released":
      return [{ ...subjectOf(event.job, event.job.updatedAt), name: "released" }];
    case "cancelled":
      return [newsOfCancel(event.job, event.reason)];
    case "cancelled-many":
      return event.jobs.map((job) => newsOfCancel(job, event.reason));
    case "refused":
    case "written":
    case "pool":
    case "elsewhere":
      return [];
    default:
      return unreachable(event);
  }
}

function newsOfCancel(job: Job, reason: string): JobNews {
  return { ...subjectOf(job, job.finishedAt ?? job.updatedAt), name: "cancelled", reason };
}

/** Hooks do not hear of an attempt whose lease was lost, or that was handed back. */
function newsOfSettled({ kind, stage, job, outcome, settled, runMs, at }: SettledEvent): JobNews[] {
  if (settled.written === "lease-lost") return [];
  const subject = { ...claimedSubject({ kind, stage }, job, at), attempt: job.attempt };
  switch (outcome.type) {
    case "completed":
      return settled.nextStage === undefined
        ? [{ ...subject, name: "completed", result: outcome.result, runMs }]
        : [{ ...subject, name: "stageCompleted", nextStage: settled.nextStage, runMs }];
    case "continued":
      return newsOfContinued(subject, settled, runMs);
    case "failed":
    case "crashed": {
      const { failure } = outcome;
      const isDeadLetter = settled.standing === "failed";
      if (!isDeadLetter && settled.standing !== "rejected") {
        return [{ ...subject, name: "attemptFailed", failure, retryAt: settled.runAt ?? at }];
      }
      return [
        { ...subject, name: "attemptFailed", failure },
        { ...subject, name: "failed", failure, isDeadLetter },
      ];
    }
    case "deferred": {
      const { reason } = outcome;
      const runAt = settled.runAt ?? at;
      return [{ ...subject, name: "deferred", runAt, ...(reason !== undefined && { reason }) }];
    }
    case "held":
      return [{ ...subject, name: "held", reason: outcome.reason }];
    case "undone":
      return newsOfUndone(subject, settled);
    case "waiting":
    case "released":
    case "cancelled":
      return [];
    default:
      return unreachable(outcome);
  }
}

/** A job that was cancelled meanwhile has no successor, and undoes its steps. */
function newsOfContinued(
  subject: ReturnType<typeof claimedSubject> & { attempt: number },
  { successor: continuedAs }: Extract<SettleAnswer, { written: "written" }>,
  runMs: number,
): JobNews[] {
  return continuedAs === undefined ? [] : [{ ...subject, name: "completed", result: "null", runMs, continuedAs }];
}

/** The end of a job that undid its steps. */
function newsOfUndone(
  subject: ReturnType<typeof claimedSubject> & { attempt: number },
  { standing, failure = UNKNOWN }: Extract<SettleAnswer, { written: "written" }>,
): JobNews[] {
  if (standing === "cancelled") return [{ ...subject, name: "cancelled", reason: failure.message }];
  if (standing !== "failed" && standing !== "rejected") return [];
  return [{ ...subject, name: "failed", failure, isDeadLetter: standing === "failed" }];
}

const UNKNOWN: Failure = { code: "failed", message: "The job failed.", permanent: true };
