import type { Kind } from "../../job/kind/kind.ts";
import type { SubmitOptions } from "../../job/options/submit-options.ts";
import type { BatchView } from "../../job/report/batch-view.ts";
import { submissionOf } from "../../submit/intake.ts";
import type { JobBatches } from "./batches.ts";

/** A batch of jobs: add members, seal it, look at it. */
export class BatchHandle {
  /** The id of the batch, such as `batch_4fQ81xZa`. */
  readonly id: string;
  readonly #batches: JobBatches;
  readonly #tenant: string;

  /** @internal */
  constructor(batches: JobBatches, id: string, tenant: string) {
    this.#batches = batches;
    this.id = id;
    this.#tenant = tenant;
  }

  /**
   * Adds members and gives their ids. Pieces of more than 1,000 jobs are stored in several commits; with an
   * `idempotencyKey` a repeated call adds nothing twice. Throws `conflict` if the batch is sealed.
   */
  add<Input>(
    kind: Kind<Input>,
    payloads: readonly Input[],
    options: Omit<SubmitOptions, "tenant"> = {},
  ): Promise<string[]> {
    return this.#batches.add(this.id, submissionOf(kind, payloads, { ...options, tenant: this.#tenant }));
  }

  /** Closes the batch for new members. It ends when all members have ended, at once if they have. */
  seal(): Promise<void> {
    return this.#batches.seal(this.id);
  }

  /** Seals the batch and cancels its members. Throws `conflict` if it has ended. */
  cancel(): Promise<void> {
    return this.#batches.cancel(this.id);
  }

  /** Revives the members that failed and returns their number. The callback is not repeated. */
  retryFailed(): Promise<number> {
    return this.#batches.retryFailed(this.id);
  }

  /** The batch as it is now. Undefined if it was deleted. */
  view(): Promise<BatchView | undefined> {
    return this.#batches.find(this.id);
  }
}
