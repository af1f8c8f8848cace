// What happened to a job, as the part that saw it happen knows it: JSON as text and moments as numbers, so that it can go
// to another process as it is. Hooks get it as a JobEvent.

import { unreachable } from "../../lib/unreachable.ts";
import type { Failure } from "../failure.ts";
import type { Job } from "../job.ts";
import type { ClaimedJob } from "../lease.ts";
import type { JobEvent, JobEventName, JobEvents } from "./job-event.ts";

/** The job that the news is about. */
export interface NewsSubject {
  at: number;
  jobId: string;
  kind: string;
  stage: string;
  tenant: string;
  tags: readonly string[];
  traceId?: string;
  payload: string;
}

export type JobNews = NewsSubject &
  (
    | { name: "submitted"; runAt: number; retryOf?: string }
    | { name: "started"; attempt: number; waitMs: number }
    | { name: "progress"; attempt: number; value: number; message?: string }
    | { name: "stageCompleted"; attempt: number; nextStage: string; runMs: number }
    | { name: "attemptFailed"; attempt: number; failure: Failure; retryAt?: number }
    | { name: "deferred"; attempt: number; runAt: number; reason?: string }
    | { name: "held"; attempt: number; reason: string }
    | { name: "released" }
    | { name: "completed"; attempt: number; result: string; runMs: number; continuedAs?: string }
    | { name: "failed"; attempt: number; failure: Failure; isDeadLetter: boolean }
    | { name: "cancelled"; reason: string }
  );

export function subjectOf(job: Job, at: number): NewsSubject {
  const { id, kind, stage, tenant, tags, traceId, payload } = job;
  return { at, jobId: id, kind, stage, tenant, tags, payload, ...(traceId !== undefined && { traceId }) };
}

export function claimedSubject(names: { kind: string; stage: string }, job: ClaimedJob, at: number): NewsSubject {
  const { lease, tenant, tags, traceId, payload } = job;
  return {
    at,
    jobId: lease.jobId,
    kind: names.kind,
    stage: names.stage,
    tenant,
    tags,
    payload,
    ...(traceId !== undefined && { traceId }),
  };
}

/** A job whose result was known is completed as soon as it is stored. */
export function newsOfSubmission(job: Job): JobNews[] {
  const subject = subjectOf(job, job.createdAt);
  const { runAt, retryOf } = job;
  const submitted: JobNews = { ...subject, name: "submitted", runAt, ...(retryOf !== undefined && { retryOf }) };
  if (job.standing !== "completed") return [submitted];
  return [submitted, { ...subject, name: "completed", attempt: 0, result: job.result ?? "null", runMs: 0 }];
}

/** These end the job, not an attempt of it. */
const ENDED_WAITING: ReadonlySet<string> = new Set(["backpressure", "hold-expired", "deadline"]);

/** The store ended the attempt, or the wait, of a job: its process died, or a deadline passed. */
export function newsOfRevocation(job: Job, at: number): JobNews[] {
  const failure = job.failure ?? { code: "lease-expired", message: "The lease ended.", permanent: false };
  const subject = { ...subjectOf(job, at), attempt: job.attempt, failure };
  const isDeadLetter = job.standing === "failed";
  const hasFailed = isDeadLetter || job.standing === "rejected";
  const failed: JobNews = { ...subject, name: "failed", isDeadLetter };
  if (hasFailed && ENDED_WAITING.has(failure.code)) return [failed];
  if (hasFailed) return [{ ...subject, name: "attemptFailed" }, failed];
  return [{ ...subject, name: "attemptFailed", retryAt: Math.max(at, job.runAt) }];
}

/** The event that hooks get. */
export function eventOf(news: JobNews, { isLocal }: { isLocal: boolean }): JobEvents[JobEventName] {
  const { jobId, kind, stage, tenant, tags, traceId, payload, at } = news;
  const subject: JobEvent = {
    jobId,
    kind,
    stage: stage === "" ? null : stage,
    tenant,
    tags,
    traceId,
    payload: JSON.parse(payload),
    at: new Date(at),
    isLocal,
  };
  return { ...subject, ...detailsOf(news) } as JobEvents[JobEventName];
}

type Details<Name extends JobEventName> = Omit<JobEvents[Name], keyof JobEvent>;

function detailsOf(news: JobNews): Details<JobEventName> {
  switch (news.name) {
    case "submitted":
      return { runAt: new Date(news.runAt), retryOf: news.retryOf } satisfies Details<"submitted">;
    case "started":
      return { attempt: news.attempt, waitMs: news.waitMs } satisfies Details<"started">;
    case "progress": {
      const { attempt, value, message } = news;
      return { attempt, value, message } satisfies Details<"progress">;
    }
    case "stageCompleted": {
      const { attempt, nextStage, runMs } = news;
      return { attempt, nextStage, runMs } satisfies Details<"stageCompleted">;
    }
    case "attemptFailed": {
      const { attempt, failure } = news;
      const retryAt = news.retryAt === undefined ? undefined : new Date(news.retryAt);
      return { attempt, failure, retryAt } satisfies Details<"attemptFailed">;
    }
    case "deferred": {
      const { attempt, reason } = news;
      return { attempt, runAt: new Date(news.runAt), reason } satisfies Details<"deferred">;
    }
    case "held":
      return { attempt: news.attempt, reason: news.reason } satisfies Details<"held">;
    case "released":
      return {};
    case "completed": {
      const { attempt, result, runMs, continuedAs } = news;
      return { attempt, result: JSON.parse(result), runMs, continuedAs } satisfies Details<"completed">;
    }
    case "failed": {
      const { attempt, failure, isDeadLetter } = news;
      return { attempt, failure, isDeadLetter } satisfies Details<"failed">;
    }
    case "cancelled":
      return { reason: news.reason } satisfies Details<"cancelled">;
    default:
      return unreachable(news);
  }
}
