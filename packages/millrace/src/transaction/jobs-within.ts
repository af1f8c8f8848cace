import type { Kind } from "../job/kind/kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import type { Intake } from "../submit/intake.ts";
import { submissionOf } from "../submit/submission-of.ts";
import { toTransaction } from "./recognise.ts";
import type { TransactionHandle } from "./transaction.ts";

/** What a submission in your own transaction returns. The job exists once the transaction has committed. */
export interface SubmitReceipt {
  /** The id of the job. `millrace.job(id)` gives its handle after the commit. */
  readonly id: string;
  /** "new": the job is stored. "joined": a live job with the same unique key does the work, and this is its id. */
  readonly accepted: "new" | "joined";
  /** True: the same idempotency key was used before, and this is the first answer. */
  readonly replayed: boolean;
}

/** Submits jobs in a transaction of your own. `millrace.within(tx)` returns it. */
export class JobsWithin {
  readonly #intake: Intake;
  readonly #handle: TransactionHandle;

  /** @internal */
  constructor(intake: Intake, handle: TransactionHandle) {
    this.#intake = intake;
    this.#handle = handle;
  }

  /** Submits one job. It exists if and only if the transaction commits. */
  async submit<Input, Result>(
    kind: Kind<Input, Result>,
    payload: Input,
    options: SubmitOptions = {},
  ): Promise<SubmitReceipt> {
    const [receipt] = await this.submitMany(kind, [payload], options);
    return receipt as SubmitReceipt;
  }

  /** Submits many jobs of one kind: all of them or none. */
  async submitMany<Input, Result>(
    kind: Kind<Input, Result>,
    payloads: Input[],
    options: SubmitOptions = {},
  ): Promise<SubmitReceipt[]> {
    const tx = await toTransaction(this.#handle);
    const { jobIds, replayed, joined } = await this.#intake.submitWithin(tx, submissionOf(kind, payloads, options));
    return jobIds.map((id, i) => ({ id, accepted: joined.includes(i) ? "joined" : "new", replayed }));
  }
}
