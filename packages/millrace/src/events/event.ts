import type { Job } from "../job/job.ts";
import type { ClaimedJob } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { Note, SettleResult } from "../store/verbs/attempts.ts";

/**
 * What happened in this process to a job or a pool. The part that saw it emits it; metrics, log, waiters, live feed and hooks
 * each take from it what they need (see events.ts). An event is a fact that the store has committed.
 */
export type EngineEvent =
  | { type: "submitted"; jobs: readonly Job[] }
  /** The store refused a submission. */
  | { type: "refused"; tenant: string; code: string }
  /** A schedule submitted the job. */
  | { type: "fired"; job: Job }
  | ({ type: "claimed"; jobs: readonly ClaimedJob[] } & StageName)
  /** Progress, log lines, a step or chunks of a stream were stored. Readers of the job are interested. */
  | { type: "written"; jobId: string }
  | ({ type: "progressed"; job: ClaimedJob; progress: Progress; at: number } & StageName)
  | SettledEvent
  /** The store ended an attempt or a wait: its process died, or a deadline passed. */
  | { type: "revoked"; job: Job; at: number }
  | { type: "released"; job: Job }
  | { type: "cancelled"; job: Job; reason: string }
  /**
   * One request cancelled all of these jobs. The live feed gets `elsewhere` instead, so that a thousand jobs make one
   * event.
   */
  | { type: "cancelled-many"; jobs: readonly Job[]; reason: string }
  | PoolEvent
  /** Something changed that the live feed should load again: in another process, or in many jobs at once. */
  | { type: "elsewhere" };

/** An attempt ended and its outcome is in the store, or its lease was lost before. */
export interface SettledEvent extends StageName {
  type: "settled";
  job: ClaimedJob;
  outcome: Outcome;
  settled: SettleResult;
  waitMs: number;
  runMs: number;
  at: number;
}

/** The state of a pool of this process changed. */
export interface PoolEvent extends StageName {
  type: "pool";
  size: number;
  busy: number;
  error: number;
  problem?: string;
}

export interface StageName {
  kind: string;
  stage: string;
}

type Progress = NonNullable<Note["progress"]>;
