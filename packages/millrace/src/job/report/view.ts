import type { Failure } from "../failure.ts";
import { type Attempt, FINISHED, type Job, type JobState, type Progress, stateOf } from "../job.ts";
import { type FactViews, SHOWN_FIELDS } from "../options/submit-options.ts";
import type { CurrentWait, CurrentWaitType } from "../wait.ts";
import { statusOf } from "./status.ts";

/** A job as programs see it, in the library and over HTTP. Times are ISO 8601 strings. `Result` is the type of its result. */
export interface JobView<Result = unknown> extends FactViews {
  /** The id of the job, such as `job_4fQ81xZa`. */
  jobId: string;
  /** The name of its kind. */
  kind: string;
  /** The tenant that it belongs to. */
  tenant: string;
  /** A word for people: the stage's name while the job is in it, else the state. */
  status: string;
  /** The state of the job. */
  state: JobState;
  /** The current stage. `null` if the job was accepted before any worker of its kind was known. */
  stage: string | null;
  /** True exactly while a processor holds the job. */
  inProgress: boolean;
  /** The payload as it was submitted. */
  payload: unknown;
  /** Lower values start first. */
  priority: number;
  /** The tags that it was submitted with. */
  tags: string[];
  /** The trace id that it was submitted with. */
  traceId?: string;
  /** When it was submitted. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When it may start, or start again. */
  runAt: string;
  /** When its latest attempt started. */
  startedAt?: string;
  /** When its current attempt started. Missing unless it is in progress. */
  leasedAt?: string;
  /** When it ended. */
  completedAt?: string;
  /** The number of the latest attempt at this stage; 0 before the first. */
  attempt: number;
  /** The attempts that the stage gets, including the first. */
  maxAttempts: number;
  /** Failed attempts of the current stage. */
  retries: number;
  /** Failed attempts of all stages. */
  retriesTotal: number;
  /** How often its process died while it worked on this stage; counted apart from failures. */
  crashes: number;
  /** What the processor last reported. */
  progress?: Progress;
  /** What the last stage returned. Missing unless the job is completed. */
  result?: Result;
  /** The message of the last failed attempt. It stays while the job is retried. */
  lastError?: string;
  /** One sentence that says why the job failed. Missing unless it failed. */
  error?: string;
  /** The stored failure. Missing unless the job failed. */
  failure?: Omit<Failure, "stack" | "input">;
  /** What the job waits for, without a processor. Any one of them wakes it. Missing unless it waits. */
  waitsFor?: WaitsFor[];
  /** The job has failed or was cancelled, and runs its undo handlers. It ends as it would have, after them. */
  undoing?: {
    /** Why it runs its undo handlers. */
    because: "failed" | "cancelled";
  };
  /** Why the job waits to be released. */
  heldFor?: string;
  /** When the hold expires and the job fails. */
  heldUntil?: string;
  /** The key that the job must hold to run. Missing: it has none. */
  concurrencyKey?: string;
  /**
   * True: the job failed and holds its key, so the jobs behind it wait. Revive, cancel or delete it. Missing otherwise.
   */
  holdsKey?: true;
  /** The fingerprint of its cause: the same for all dead letters that failed for the same reason. Only dead letters have one. */
  fingerprint?: string;
  /** The processor that has, or last had, the job. */
  processor?: string;
  /** The job that this one revives. */
  retryOf?: string;
  /** The job that revived this one. */
  retriedAs?: string;
  /** The job that continued as this one, with `ctx.continueAsNew()`. */
  continuationOf?: string;
  /** The job that goes on in this one's place, after `ctx.continueAsNew()`. */
  continuedAs?: string;
}

export function viewOf(job: Job): JobView {
  const state = stateOf(job.standing);
  const { failure } = job;
  const failed = state === "failed" && failure;
  return {
    jobId: job.id,
    kind: job.kind,
    tenant: job.tenant,
    status: statusOf(job),
    state,
    stage: job.stage === "" ? null : job.stage,
    inProgress: state === "running",
    payload: JSON.parse(job.payload),
    priority: job.priority,
    tags: job.tags,
    ...(job.traceId !== undefined && { traceId: job.traceId }),
    createdAt: iso(job.createdAt),
    updatedAt: iso(job.updatedAt),
    runAt: iso(job.runAt),
    ...(job.startedAt !== undefined && { startedAt: iso(job.startedAt) }),
    ...(job.startedAt !== undefined && state === "running" && { leasedAt: iso(job.startedAt) }),
    ...(job.finishedAt !== undefined && { completedAt: iso(job.finishedAt) }),
    attempt: job.attempt,
    maxAttempts: job.maxAttempts,
    retries: job.failures,
    retriesTotal: job.failuresTotal,
    crashes: job.crashes,
    ...(job.progress && !FINISHED.has(job.standing) && { progress: job.progress }),
    ...(state === "completed" && job.result !== undefined && { result: JSON.parse(job.result) }),
    ...(failure && { lastError: failure.message }),
    ...(failed && { error: failed.message, failure: publicFailure(failed) }),
    ...(job.waitsFor && { waitsFor: job.waitsFor.map(waitsForOf) }),
    ...(job.undoing && { undoing: { because: job.undoing } }),
    ...factsOf(job),
    ...(job.heldFor !== undefined && { heldFor: job.heldFor }),
    ...(job.standing === "held" && job.expiresAt !== undefined && { heldUntil: iso(job.expiresAt) }),
    ...(job.concurrencyKey !== undefined && { concurrencyKey: job.concurrencyKey }),
    ...(job.holdsKey && { holdsKey: true }),
    ...(job.fingerprint !== undefined && { fingerprint: job.fingerprint }),
    ...(job.processor !== undefined && { processor: job.processor }),
    ...(job.retryOf !== undefined && { retryOf: job.retryOf }),
    ...(job.retriedAs !== undefined && { retriedAs: job.retriedAs }),
    ...(job.continuationOf !== undefined && { continuationOf: job.continuationOf }),
    ...(job.continuedAs !== undefined && { continuedAs: job.continuedAs }),
  };
}

/** Something that a job waits for. Times are ISO 8601 strings. */
export interface WaitsFor {
  /** What it is. */
  type: CurrentWaitType;
  /** The name in the code; `paid#2` is the second wait with the name `paid`. */
  name?: string;
  /** Since when. */
  since: string;
  /** When the wait times out. Missing: without limit. */
  until?: string;
}

function waitsForOf({ since, until, ...wait }: CurrentWait): WaitsFor {
  return { ...wait, since: iso(since), ...(until !== undefined && { until: iso(until) }) };
}

function factsOf(job: Job): FactViews {
  const facts: FactViews = {};
  for (const { field, form } of SHOWN_FIELDS) {
    const value: number | string | undefined = job[field];
    if (value !== undefined) facts[field] = form === "time" ? iso(value as number) : String(value);
  }
  return facts;
}

/** One attempt at a stage of a job. */
export interface AttemptView {
  /** The stage. */
  stage: string;
  /** The number of the attempt at this stage, counted from 1. */
  attempt: number;
  /** When it started, as an ISO 8601 string. */
  startedAt: string;
  /** When it ended, as an ISO 8601 string. Missing while it runs. */
  endedAt?: string;
  /** The processor that ran it. */
  processor?: string;
  /** How it ended. Missing while it runs. */
  outcome?: string;
  /** The stored failure. */
  failure?: Failure;
}

export function attemptViewOf({ startedAt, endedAt, ...attempt }: Attempt): AttemptView {
  return { ...attempt, startedAt: iso(startedAt), ...(endedAt !== undefined && { endedAt: iso(endedAt) }) };
}

function publicFailure({ stack: _stack, input: _input, ...failure }: Failure): Omit<Failure, "stack" | "input"> {
  return failure;
}

let lastAt = Number.NaN;
let lastText = "";

/** A new job has the same moment three times, and jobs of one commit share it. */
function iso(at: number): string {
  if (at !== lastAt) {
    lastText = new Date(at).toISOString();
    lastAt = at;
  }
  return lastText;
}
