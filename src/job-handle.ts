import { toJobFailure } from "./job/failure.ts";
import type { JobView } from "./job/view.ts";
import type { WaitOptions } from "./job/wait-options.ts";
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

  /**
   * The result. Throws a `JobFailure` if the job failed, and an `AppError` if it was cancelled, was deleted, or time is up:
   * after 10 minutes, unless `timeoutMs` says otherwise.
   */
  async wait(options: WaitOptions = {}): Promise<Result> {
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
