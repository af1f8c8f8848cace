import { type AttemptView, attemptViewOf, type JobView, viewOf } from "../job/view.ts";
import { AppError } from "../lib/app-error.ts";
import type { Artifact, JobFilter, LogLine, Step, Store } from "../store/store.ts";
import type { Waiters } from "../submit/waiters.ts";

/** What is known of jobs, one or many, and waiting for their end. */
export class Look {
  readonly #store: Store;
  readonly #waiters: Waiters;

  constructor(store: Store, waiters: Waiters) {
    this.#store = store;
    this.#waiters = waiters;
  }

  async find(jobId: string): Promise<JobView | undefined> {
    const job = await this.#store.find(jobId);
    return job && viewOf(job);
  }

  async wait(jobId: string, { timeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal }): Promise<JobView> {
    const late = new AbortController();
    if (timeoutMs !== undefined && !(timeoutMs >= 0)) throw new AppError("invalid-request", "timeoutMs is not a time.");
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => late.abort(waitedTooLong(jobId, timeoutMs)), Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      const job = await this.#waiters.wait(jobId, signal ? AbortSignal.any([signal, late.signal]) : late.signal);
      if (!job) throw new AppError("job-not-found", "Job not found.");
      return viewOf(job);
    } finally {
      clearTimeout(timer);
    }
  }

  async list(filter: JobFilter): Promise<JobView[]> {
    return (await this.#store.list(filter)).map(viewOf);
  }

  count(filter: JobFilter): Promise<number> {
    return this.#store.count(filter);
  }

  async attempts(jobId: string): Promise<AttemptView[]> {
    return (await this.#store.attempts(jobId)).map(attemptViewOf);
  }

  logs(jobId: string, options: { afterId?: number; limit?: number }): Promise<(LogLine & { id: number })[]> {
    return this.#store.logs(jobId, { limit: 1_000, ...options });
  }

  steps(jobId: string): Promise<Step[]> {
    return this.#store.steps(jobId);
  }

  artifact(jobId: string, name: string): Promise<Artifact | undefined> {
    return this.#store.artifact(jobId, name);
  }
}

/** A timer set further ahead fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

function waitedTooLong(jobId: string, ms: number): AppError {
  return new AppError("wait-timeout", `Job ${jobId} was not finished within ${ms} ms.`, {
    hint: "The job goes on; wait again.",
  });
}
