import { backoffMs } from "../lib/backoff.ts";
import { MillraceError } from "./errors.ts";
import { pause } from "./pause.ts";
import { ask, type Connection } from "./request.ts";
import { jobs } from "./routes.ts";
import type { Job } from "./wire.ts";

/** How to wait for the end of a job. */
export interface WaitOptions {
  /**
   * Give up after this time, in milliseconds, with `wait-timeout`; the job itself keeps running. Default: 600,000, 10
   * minutes.
   */
  readonly timeoutMs?: number;
  /** Ends the wait when it is aborted. Default: none. */
  readonly signal?: AbortSignal;
  /** Called with the job about once a second until it has ended. Default: none. */
  readonly onProgress?: (job: Job) => void;
}

export const DEFAULT_WAIT_MS = 600_000;
// The longest poll: under the 30 s that the server allows, and under what proxies in between tolerate.
const LONGEST_POLL_S = 20;
// The time for the answer to arrive after the poll has ended. After that the connection counts as dead.
const GRACE_MS = 5_000;
const BACKOFF = { baseMs: 250, maxMs: 2_000 };

/**
 * Waits for the end of a job and returns it. Survives dropped connections and restarting servers; only time or a
 * refusal ends the wait.
 */
export async function waitFor(connection: Connection, jobId: string, options: WaitOptions): Promise<Job> {
  const { timeoutMs = DEFAULT_WAIT_MS, signal, onProgress } = options;
  const deadline = performance.now() + timeoutMs;
  const leftMs = () => deadline - performance.now();
  let failures = 0;
  let answered = false;
  let last: MillraceError | undefined;
  let seen: Job | undefined;
  let current = jobId;
  for (;;) {
    try {
      const poll = Math.min(onProgress ? 1 : LONGEST_POLL_S, Math.floor(Math.max(0, leftMs()) / 1_000));
      const job = await ask(connection, jobs.get, {
        params: { jobId: current },
        query: { wait: poll },
        signal,
        timeoutMs: Math.max(1, Math.min(poll * 1_000 + GRACE_MS, leftMs())),
        retries: 0,
      });
      // A job that continued as new has ended once its last successor has.
      current = job.continuedAs ?? current;
      if (isFinished(job) && job.continuedAs === undefined) return job;
      failures = 0;
      answered = true;
      seen = job;
      last = undefined;
      onProgress?.(job);
      // With less than a second left, a poll would take too long.
      if (poll === 0) await pause(Math.max(1, Math.min(100, leftMs())), signal);
    } catch (error) {
      if (!(error instanceof MillraceError) || !isPassing(error)) throw error;
      failures++;
      // The last poll may be cut short by the end of the time alone.
      if (!answered || error.code !== "request-timeout") last = error;
      const pauseMs = Math.max(error.retryAfterMs ?? 0, backoffMs(failures, BACKOFF, connection.random));
      await pause(Math.max(0, Math.min(pauseMs, leftMs())), signal);
    }
    if (leftMs() <= 0) throw waitedTooLong(jobId, timeoutMs, last, seen);
  }
}

export function isFinished({ state }: Pick<Job, "state">): boolean {
  return state === "completed" || state === "failed" || state === "cancelled";
}

/** Whether no answer came, or one that a restarting server and the proxies before it give. */
function isPassing({ status }: MillraceError): boolean {
  return status === 0 || status === 429 || (status >= 502 && status <= 504);
}

/** If no request about the job succeeded, its state is unknown, and the error has the last cause. */
function waitedTooLong(
  jobId: string,
  ms: number,
  cause: MillraceError | undefined,
  job: Job | undefined,
): MillraceError {
  return new MillraceError("wait-timeout", `Job ${jobId} was not finished within ${ms} ms.`, {
    jobId,
    hint: cause ? `The server did not answer at the end: ${cause.message}` : hintFor(job),
    ...(cause && { cause }),
  });
}

function hintFor(job: Job | undefined): string {
  if (job?.heldFor !== undefined) return `The job is held: ${job.heldFor}`;
  if (job?.state === "pending")
    return `The job is still pending. Check that a worker for "${job.kind}/${job.stage}" is running.`;
  return "The job keeps running. Call wait() again, or pass a longer timeoutMs.";
}
