import { type AttemptView, attemptViewOf, type JobView, viewOf } from "../job/view.ts";
import { AppError } from "../lib/app-error.ts";
import { checkInteger, checkNames } from "../lib/check.ts";
import { LONGEST_TIMER_MS } from "../lib/clock.ts";
import type { Artifact, JobFilter, LogLine, Step, Store } from "../store/store.ts";
import type { Waiters } from "../submit/waiters.ts";
import { checkFilter, checkPage } from "./check-filter.ts";
import { checkJobId, checkNamed } from "./check-names.ts";
import { jobNotFound } from "./job-not-found.ts";

/** What is known of jobs, one or many, and waiting for their end. */
export class Look {
  readonly #store: Store;
  readonly #waiters: Waiters;

  constructor(store: Store, waiters: Waiters) {
    this.#store = store;
    this.#waiters = waiters;
  }

  async find(jobId: string): Promise<JobView | undefined> {
    const job = await this.#store.find(checkJobId(jobId));
    return job && viewOf(job);
  }

  async wait(jobId: string, options: { timeoutMs?: number; signal?: AbortSignal }): Promise<JobView> {
    checkJobId(jobId);
    checkNames("waiting", options, ["timeoutMs", "signal"]);
    const { timeoutMs, signal } = options;
    const late = new AbortController();
    if (timeoutMs !== undefined && !(timeoutMs >= 0)) throw new AppError("invalid-request", "timeoutMs is not a time.");
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => late.abort(waitedTooLong(jobId, timeoutMs)), Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      const job = await this.#waiters.wait(jobId, signal ? AbortSignal.any([signal, late.signal]) : late.signal);
      if (!job) throw jobNotFound();
      return viewOf(job);
    } finally {
      clearTimeout(timer);
    }
  }

  async list(filter: JobFilter): Promise<JobView[]> {
    await checkFilter(this.#store, filter);
    return (await this.#store.list(filter)).map(viewOf);
  }

  async count(filter: JobFilter): Promise<number> {
    await checkFilter(this.#store, filter);
    return this.#store.count(filter);
  }

  async attempts(jobId: string): Promise<AttemptView[]> {
    return (await this.#store.attempts(checkJobId(jobId))).map(attemptViewOf);
  }

  async logs(jobId: string, options: { afterId?: number; limit?: number }): Promise<(LogLine & { id: number })[]> {
    checkNames("logs", options, ["afterId", "limit"]);
    checkInteger("afterId", options.afterId, 0, Number.MAX_SAFE_INTEGER);
    checkPage(options);
    return this.#store.logs(checkJobId(jobId), { limit: 1_000, ...options });
  }

  async steps(jobId: string): Promise<Step[]> {
    return this.#store.steps(checkJobId(jobId));
  }

  async artifact(jobId: string, name: string): Promise<Artifact | undefined> {
    return this.#store.artifact(checkJobId(jobId), checkNamed("an artifact", name));
  }
}

function waitedTooLong(jobId: string, ms: number): AppError {
  return new AppError("wait-timeout", `Job ${jobId} was not finished within ${ms} ms.`, {
    hint: "The job goes on; wait again.",
  });
}
