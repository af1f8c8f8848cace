import { toJobFailure } from "./job/failure.ts";
import type { JobView } from "./job/view.ts";
import { AppError } from "./lib/app-error.ts";
import type { Millrace } from "./millrace.ts";

/** A submitted job: look at it, wait for it, cancel it. */
export class JobHandle<Result = unknown> {
  readonly id: string;
  /** The same key and body came before: this is the first answer's job. */
  readonly replayed: boolean;
  readonly #millrace: Millrace;

  constructor(millrace: Millrace, id: string, replayed = false) {
    this.#millrace = millrace;
    this.id = id;
    this.replayed = replayed;
  }

  view(): Promise<JobView | undefined> {
    return this.#millrace.find(this.id);
  }

  cancel(reason?: string): Promise<void> {
    return this.#millrace.cancel(this.id, reason);
  }

  /** The result; throws a `JobFailure` if the job failed, an `AppError` if it was cancelled, is gone, or time is up. */
  async wait(options: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<Result> {
    const job = await this.#millrace.wait(this.id, options);
    switch (job.state) {
      case "completed":
        return job.result as Result;
      case "cancelled":
        throw new AppError("job-cancelled", `Job ${this.id} was cancelled: ${job.lastError ?? "no reason given"}`);
      default:
        throw toJobFailure(job.error ?? "The job failed.", job.failure);
    }
  }
}
