import { toJobFailure } from "./job/failure.ts";
import type { WaitOptions } from "./job/options/wait-options.ts";
import { type Acceptances, type AcceptanceWay, acceptedAt, type SubmitReceipt } from "./job/receipt.ts";
import type { JobView } from "./job/report/view.ts";
import { AppError } from "./lib/app-error.ts";
import type { Millrace } from "./millrace.ts";

/** A submitted job: look at it, wait for it, cancel it. `Result` is the type of its result. */
export class JobHandle<Result = unknown> {
  /** The id of the job, such as `job_4fQ81xZa`. */
  readonly id: string;
  /** True: a job with the same idempotency key and the same content was submitted before, and this is that job. */
  readonly replayed: boolean;
  /**
   * "new": the job was stored. "joined", "replaced" and "extended": the job existed before. "follows": it was stored, and
   * starts when the live job with the same unique key has ended. A replay gives the first answer's. Undefined if the handle
   * comes from `millrace.job()`, a flow or a revival.
   */
  readonly accepted: AcceptanceWay | undefined;
  readonly #millrace: Millrace;

  /** @internal */
  constructor(millrace: Millrace, id: string, { replayed = false, accepted }: Partial<SubmitReceipt> = {}) {
    this.#millrace = millrace;
    this.id = id;
    this.replayed = replayed;
    this.accepted = accepted;
  }

  /** The job as it is now. Undefined if it was deleted. */
  view(): Promise<JobView<Result> | undefined> {
    return this.#millrace.find(this.id) as Promise<JobView<Result> | undefined>;
  }

  /** Cancels the job. If it runs, its processor's `ctx.signal` is aborted. Throws `conflict` if the job has ended. */
  cancel(reason?: string): Promise<void> {
    return this.#millrace.cancel(this.id, reason);
  }

  /**
   * Waits for the end of the job and returns its result. Throws a `JobFailure` if the job failed, and an `AppError`
   * with the code `job-cancelled`, `job-not-found` or `wait-timeout` otherwise. The time limit is 10 minutes unless
   * `timeoutMs` says otherwise.
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

/** The handles of submitted jobs. Without `joined` they do not say how they were accepted. */
export function handlesOf<Result = unknown>(
  millrace: Millrace,
  jobs: readonly { readonly id: string }[],
  { replayed, joined, ways }: { replayed: boolean } & Partial<Acceptances>,
): JobHandle<Result>[] {
  return jobs.map(
    ({ id }, i) =>
      new JobHandle(millrace, id, {
        replayed,
        ...(joined && { accepted: acceptedAt(i, { joined, ...(ways && { ways }) }) }),
      }),
  );
}
