import type { Failure } from "../failure.ts";

/** What every event says about its job. */
export interface JobEvent<Payload = unknown> {
  /** The id of the job. */
  readonly jobId: string;
  /** The name of its kind. */
  readonly kind: string;
  /** The stage the event happened in; null for a job whose kind has no worker yet. */
  readonly stage: string | null;
  /** The tenant that the job belongs to. */
  readonly tenant: string;
  /** The tags that it was submitted with. */
  readonly tags: readonly string[];
  /** The trace id that it was submitted with. */
  readonly traceId: string | undefined;
  /** As it was submitted, before any transform of the schema. */
  readonly payload: Payload;
  /** When it happened, by the store's clock. */
  readonly at: Date;
  /** false: it happened in another process. */
  readonly isLocal: boolean;
}

/** An event of one attempt. */
export interface AttemptEvent<Payload = unknown> extends JobEvent<Payload> {
  /** Counted per stage from 1; 0 for a job that ended before its first attempt. */
  readonly attempt: number;
}

/** The job is in the store: submitted, fired by a schedule, or revived. */
export interface SubmittedEvent<Payload = unknown> extends JobEvent<Payload> {
  /** When it may run. */
  readonly runAt: Date;
  /** The dead letter or cancelled job that it was revived from. */
  readonly retryOf: string | undefined;
}

/** A processor has claimed the job. */
export interface StartedEvent<Payload = unknown> extends AttemptEvent<Payload> {
  /** How long it waited after it could have run, in milliseconds. */
  readonly waitMs: number;
}

/** `ctx.progress` was called: the newest value, at most once a second for each attempt. */
export interface ProgressEvent<Payload = unknown> extends AttemptEvent<Payload> {
  /** From 0 to 1. */
  readonly value: number;
  /** Words for people. */
  readonly message: string | undefined;
}

/** A stage is done and another one follows. The last stage ends with `completed` instead. */
export interface StageCompletedEvent<Payload = unknown> extends AttemptEvent<Payload> {
  /** The stage that follows. */
  readonly nextStage: string;
  /** How long the attempt took, in milliseconds. */
  readonly runMs: number;
}

/** An attempt failed, timed out or crashed, or its process died. */
export interface AttemptFailedEvent<Payload = unknown> extends AttemptEvent<Payload> {
  /** What is stored about the failure. */
  readonly failure: Failure;
  /** When the job is tried again; undefined if this was its last attempt, and `failed` follows. */
  readonly retryAt: Date | undefined;
}

/** The processor put the job back with `ctx.defer` or `ctx.limit`. */
export interface DeferredEvent<Payload = unknown> extends AttemptEvent<Payload> {
  /** When the job may run again. */
  readonly runAt: Date;
  /** The reason that the processor gave. */
  readonly reason: string | undefined;
}

/** The processor put the job aside with `ctx.hold`. */
export interface HeldEvent<Payload = unknown> extends AttemptEvent<Payload> {
  /** The reason that the processor gave. */
  readonly reason: string;
}

/** The job is done. */
export interface CompletedEvent<Payload = unknown, Result = unknown> extends AttemptEvent<Payload> {
  /** The result of the job; null if it continued as a new job. */
  readonly result: Result;
  /** The job that goes on in its place, after `ctx.continueAsNew()`. */
  readonly continuedAs: string | undefined;
  /** How long its last attempt took, in milliseconds. */
  readonly runMs: number;
}

/** The job has ended as failed. */
export interface FailedEvent<Payload = unknown> extends AttemptEvent<Payload> {
  /** What is stored about the failure. */
  readonly failure: Failure;
  /** False if the job failed because of its input, so that reviving it would not help. */
  readonly isDeadLetter: boolean;
}

/** The job was cancelled. */
export interface CancelledEvent<Payload = unknown> extends JobEvent<Payload> {
  /** Why it was cancelled. */
  readonly reason: string;
}

/** The events of `millrace.on`, by their names. */
export interface JobEvents<Payload = unknown, Result = unknown> {
  /** The job is in the store. */
  submitted: SubmittedEvent<Payload>;
  /** A processor has claimed the job. */
  started: StartedEvent<Payload>;
  /** The processor called `ctx.progress()`. */
  progress: ProgressEvent<Payload>;
  /** A stage is done and another one follows. */
  stageCompleted: StageCompletedEvent<Payload>;
  /** An attempt failed, timed out or crashed, or its process died. */
  attemptFailed: AttemptFailedEvent<Payload>;
  /** The processor put the job back. */
  deferred: DeferredEvent<Payload>;
  /** The processor put the job aside. */
  held: HeldEvent<Payload>;
  /** `millrace.release()` put a held job back in the queue. */
  released: JobEvent<Payload>;
  /** The job is done. */
  completed: CompletedEvent<Payload, Result>;
  /** The job has ended as failed. */
  failed: FailedEvent<Payload>;
  /** The job was cancelled. */
  cancelled: CancelledEvent<Payload>;
}

/** The name of an event of `millrace.on()`. */
export type JobEventName = keyof JobEvents;

export const JOB_EVENT_NAMES: readonly string[] = [
  "submitted",
  "started",
  "progress",
  "stageCompleted",
  "attemptFailed",
  "deferred",
  "held",
  "released",
  "completed",
  "failed",
  "cancelled",
] satisfies JobEventName[];
