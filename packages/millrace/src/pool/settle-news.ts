import { claimedSubject, type JobNews } from "../job/report/job-news.ts";
import { unreachable } from "../lib/unreachable.ts";
import type { SettledEvent } from "./pool.ts";

/** What an attempt's end is to hooks. An attempt whose lease was lost, or that was handed back, is none of their news. */
export function newsOfSettle({ kind, stage, job, outcome, settled, runMs }: SettledEvent, now: number): JobNews[] {
  if (settled.written === "lease-lost") return [];
  const subject = { ...claimedSubject({ kind, stage }, job, now), attempt: job.attempt };
  switch (outcome.type) {
    case "completed":
      return settled.nextStage === undefined
        ? [{ ...subject, name: "completed", output: outcome.output, runMs }]
        : [{ ...subject, name: "stageCompleted", nextStage: settled.nextStage, runMs }];
    case "failed":
    case "crashed": {
      const { failure } = outcome;
      const isDeadLetter = settled.standing === "failed";
      if (!isDeadLetter && settled.standing !== "rejected") {
        return [{ ...subject, name: "attemptFailed", failure, retryAt: settled.runAt ?? now }];
      }
      return [
        { ...subject, name: "attemptFailed", failure },
        { ...subject, name: "failed", failure, isDeadLetter },
      ];
    }
    case "deferred": {
      const { reason } = outcome;
      const runAt = settled.runAt ?? now;
      return [{ ...subject, name: "deferred", runAt, ...(reason !== undefined && { reason }) }];
    }
    case "held":
      return [{ ...subject, name: "held", reason: outcome.reason }];
    case "released":
      return [];
    default:
      return unreachable(outcome);
  }
}
