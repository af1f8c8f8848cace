import type { Failure } from "./failure.ts";
import type { StoredFacts } from "./options/submit-options.ts";
import type { CurrentWait } from "./wait.ts";

/** The state of a job. A job in state `failed` is a dead letter. */
export type JobState = "pending" | "running" | "completed" | "failed" | "cancelled";

/**
 * Where a job stands, finer than its state, so that each standing has an index of its own:
 * a claim looks only at `ready` (and at `suspect`, in small groups), whatever else the table holds.
 *
 *   scheduled ──due──▶ ready ──claim──▶ running ──settle──▶ completed | failed | rejected | cancelled
 *       ▲   └──due, with two crashes behind it──▶ suspect ──claim──▶ running
 *       └── retry or deferral ── running ──hold──▶ held ──release──▶ ready
 */
export const STANDINGS = [
  "scheduled",
  "ready",
  "suspect",
  "held",
  "running",
  "completed",
  "failed",
  "rejected",
  "cancelled",
] as const;
/**
 * Where a job is, in more detail than its state. Pending jobs are scheduled, ready, suspect (they crashed their process
 * twice) or held; failed ones are failed (dead letters) or rejected (revived, or the input was wrong).
 */
export type Standing = (typeof STANDINGS)[number];

export function stateOf(standing: Standing): JobState {
  switch (standing) {
    case "scheduled":
    case "ready":
    case "suspect":
    case "held":
      return "pending";
    case "rejected":
      return "failed";
    default:
      return standing;
  }
}

/** How far a job is. */
export interface Progress {
  /** From 0 to 1. */
  value: number;
  /** Words for people. */
  message?: string;
}

/** One job as the store gives it. Moments are milliseconds since 1970, JSON is text. */
export interface Job extends StoredFacts {
  id: string;
  kind: string;
  stage: string;
  /** The kind's stages in order, as last registered. */
  stages: string[];
  tenant: string;
  standing: Standing;
  payload: string;
  /** What the last finished stage returned: the input of the current one, and at the end the result. */
  result?: string;
  priority: number;
  tags: string[];
  traceId?: string;
  createdAt: number;
  updatedAt: number;
  runAt: number;
  startedAt?: number;
  finishedAt?: number;
  /** A job that has not started fails then; so does one that is held for a time. */
  expiresAt?: number;
  /** Number of the latest attempt of this stage; 0 before the first. */
  attempt: number;
  maxAttempts: number;
  failures: number;
  failuresTotal: number;
  crashes: number;
  progress?: Progress;
  failure?: Failure;
  heldFor?: string;
  /** What it waits for without a processor. Missing unless it waits. */
  waitsFor?: CurrentWait[];
  /** The key that the job must hold to run. */
  concurrencyKey?: string;
  /** The fingerprint of its cause. Only dead letters have one. */
  fingerprint?: string;
  /** A dead letter that keeps the jobs behind it waiting for its key. */
  holdsKey?: true;
  /** It undoes what it did, and why. */
  undoing?: "failed" | "cancelled";
  /** Why its processor put it back until `runAt`; "" without a reason. Missing unless a deferral is what it waits for. */
  deferredFor?: string;
  /** Which processor has (or last had) the lease. */
  processor?: string;
  retryOf?: string;
  retriedAs?: string;
  /** The job that continued as this one. */
  continuationOf?: string;
  /** The job that goes on in its place. */
  continuedAs?: string;
}

export const FINISHED: ReadonlySet<Standing> = new Set<Standing>(["completed", "failed", "rejected", "cancelled"]);

/** How an attempt ended. */
export type AttemptOutcome =
  | "completed"
  | "failed"
  | "crashed"
  | "deferred"
  | "held"
  | "waiting"
  | "released"
  | "cancelled"
  | "abandoned";

export interface Attempt {
  stage: string;
  attempt: number;
  startedAt: number;
  endedAt?: number;
  processor?: string;
  /** Missing while it runs. */
  outcome?: AttemptOutcome;
  failure?: Failure;
}
