import type { JobState } from "../job.ts";

/** Why a job does not run, or where it stands. Callers can branch on a code; the message beside it is for people. */
export const REASON_CODES = [
  "completed",
  "failed",
  "cancelled",
  "running",
  "claimed",
  "lease-expired",
  "held",
  "waiting",
  "paused",
  "no-plan",
  "plan-too-new",
  "pinned",
  "no-worker",
  "delayed",
  "retrying",
  "deferred",
  "limiter",
  "next-stage-full",
  "paced",
  "tenant-limit",
  "concurrency",
  "concurrency-key",
  "suspect",
  "processors-busy",
  "queued",
  "ready",
  "deadline",
] as const;
/** Why a job does not run, or where it is. Programs can branch on it. */
export type ReasonCode = (typeof REASON_CODES)[number];

/** One reason why a job does not run. */
export interface Reason {
  /** A stable word for programs. */
  code: ReasonCode;
  /** One or two sentences for people. */
  message: string;
  /** When the reason ends without action, as an ISO 8601 string. */
  until?: string;
  /** The names and figures in the message. */
  details?: Record<string, string | number>;
}

/** Why a job does not run, in words. A job that runs or has ended says so. */
export interface Explanation {
  /** The id of the job. */
  jobId: string;
  /** The state of the job. */
  state: JobState;
  /** At least one reason. The reason that decides comes first. */
  reasons: Reason[];
  /** What to do about the first reason. */
  next?: string;
}
