import type { Job } from "../../job/job.ts";
import { WAIT, type WaitOptions } from "../../job/options/wait-options.ts";
import { type JobView, viewOf } from "../../job/report/view.ts";
import { AppError } from "../../lib/app-error.ts";
import { LONGEST_TIMER_MS } from "../../lib/clock.ts";
import { checkOptions } from "../../lib/options/check.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { unservedName, withoutWorker } from "../deployments.ts";
import { checkJobId } from "../job-ids.ts";
import { jobNotFound } from "../look/job-not-found.ts";
import type { Waiters } from "./waiters.ts";

export interface JobEndWaitOptions {
  store: Store;
  waiters: Waiters;
  log: Log;
  /** Stages with work that no living process serves, as `kind/stage`. */
  unserved(): Promise<string[]>;
  /** The problems of this process's pools, each with the name of the pool first. */
  problems(): string[];
}

const DEFAULT_WAIT_MS = 600_000;
const WARN_AFTER_MS = 10_000;
/** The time between two warnings about the same stage, however many callers wait for it. */
const WARN_EVERY_MS = 60_000;

/** Waits for the end of a job, up to a time. Says what is in the way when nothing works on the job. */
export class JobEndWait {
  readonly #options: JobEndWaitOptions;
  readonly #warnedAt = new Map<string, number>();
  #asking: Promise<string[]> | undefined;

  constructor(options: JobEndWaitOptions) {
    this.#options = options;
  }

  async wait(jobId: string, options: WaitOptions): Promise<JobView> {
    checkJobId(jobId);
    checkOptions(WAIT, options);
    const { timeoutMs = DEFAULT_WAIT_MS, signal } = options;
    const late = new AbortController();
    const limit = this.#limit(jobId, timeoutMs, late);
    try {
      const job = await this.#end(jobId, signal ? AbortSignal.any([signal, late.signal]) : late.signal);
      if (!job) throw jobNotFound(jobId);
      return viewOf(job);
    } finally {
      limit.clear();
    }
  }

  /** A job that continued as new has ended once its last successor has. */
  async #end(jobId: string, signal: AbortSignal): Promise<Job | undefined> {
    const { waiters } = this.#options;
    let job = await waiters.wait(jobId, signal);
    while (job?.continuedAs !== undefined) job = await waiters.wait(job.continuedAs, signal);
    return job;
  }

  /** One timer for both: the warning first, then the end. */
  #limit(jobId: string, timeoutMs: number, late: AbortController): { clear(): void } {
    const after = (ms: number, run: () => void) => setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));
    const end = async () => late.abort(waitedTooLong(jobId, timeoutMs, await this.#inTheWay(jobId)));
    if (timeoutMs <= WARN_AFTER_MS) {
      const timer = after(timeoutMs, () => void end());
      return { clear: () => clearTimeout(timer) };
    }
    let timer = after(WARN_AFTER_MS, () => {
      if (timeoutMs !== Number.POSITIVE_INFINITY) timer = after(timeoutMs - WARN_AFTER_MS, () => void end());
      void this.#warn(jobId);
    });
    return { clear: () => clearTimeout(timer) };
  }

  async #warn(jobId: string): Promise<void> {
    const inTheWay = await this.#inTheWay(jobId);
    if (inTheWay?.pool === undefined) return;
    const { pool, why } = inTheWay;
    const now = performance.now();
    if (now - (this.#warnedAt.get(pool) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_MS) return;
    this.#warnedAt.set(pool, now);
    this.#options.log.warn("waiting for an unserved job", { jobId, pool, error: why });
  }

  /** Why the job does not move, where that can be known. */
  async #inTheWay(jobId: string): Promise<{ why: string; pool?: string } | undefined> {
    try {
      const [job] = await this.#options.store.find([jobId]);
      if (!job || job.standing === "running") return undefined;
      if (job.heldFor !== undefined) return { why: `It is held: ${job.heldFor}` };
      const pool = unservedName({ kind: job.kind, stage: job.stage === "" ? null : job.stage });
      const problem = this.#options.problems().find((each) => each.startsWith(`${pool}: `));
      if (problem !== undefined) return { pool, why: problem };
      this.#asking ??= this.#options.unserved().finally(() => {
        this.#asking = undefined;
      });
      if (!(await this.#asking).includes(pool)) return undefined;
      return { pool, why: job.stage === "" ? withoutWorker(job.kind) : `No process serves "${pool}".` };
    } catch {
      // The store has failed, which is reported elsewhere.
      return undefined;
    }
  }
}

function waitedTooLong(jobId: string, ms: number, inTheWay: { why: string } | undefined): AppError {
  return new AppError("wait-timeout", `Job ${jobId} was not finished within ${ms} ms.`, {
    hint: inTheWay?.why ?? "The job keeps running. Call wait() again, or pass a longer timeoutMs.",
  });
}
