import type { Failure } from "./failure.ts";
import { type Attempt, FINISHED, type Job, type JobState, type Progress, stateOf } from "./job.ts";
import { statusOf } from "./status.ts";

/** A job as people and programs see it, in the library and over HTTP. */
export interface JobView {
  jobId: string;
  kind: string;
  tenant: string;
  status: string;
  state: JobState;
  /** null: the job was accepted before any plan of its kind was known, and waits for the first worker. */
  stage: string | null;
  /** True exactly while a lease is held. */
  inProgress: boolean;
  payload: unknown;
  priority: number;
  tags: string[];
  traceId?: string;
  createdAt: string;
  updatedAt: string;
  runAt: string;
  startedAt?: string;
  leasedAt?: string;
  completedAt?: string;
  attempt: number;
  maxAttempts: number;
  /** Failed attempts of the current stage, and over all stages. */
  retries: number;
  retriesTotal: number;
  crashes: number;
  progress?: Progress;
  result?: unknown;
  /** What the last attempt that failed said; kept in view while the job is retried. */
  lastError?: string;
  /** One sentence, there once it failed. */
  error?: string;
  failure?: Omit<Failure, "stack" | "input">;
  /** Why it waits to be released. */
  heldFor?: string;
  /** When the hold expires and the job fails, where it was given a time. */
  heldUntil?: string;
  processor?: string;
  retryOf?: string;
  retriedAs?: string;
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
    ...(state === "completed" && job.output !== undefined && { result: JSON.parse(job.output) }),
    ...(failure && { lastError: failure.message }),
    ...(failed && { error: failed.message, failure: publicFailure(failed) }),
    ...(job.heldFor !== undefined && { heldFor: job.heldFor }),
    ...(job.standing === "held" && job.expiresAt !== undefined && { heldUntil: iso(job.expiresAt) }),
    ...(job.processor !== undefined && { processor: job.processor }),
    ...(job.retryOf !== undefined && { retryOf: job.retryOf }),
    ...(job.retriedAs !== undefined && { retriedAs: job.retriedAs }),
  };
}

export interface AttemptView {
  stage: string;
  attempt: number;
  startedAt: string;
  endedAt?: string;
  processor?: string;
  outcome?: string;
  failure?: Attempt["failure"];
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
