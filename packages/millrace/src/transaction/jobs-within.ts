import type { Kind } from "../job/kind/kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import { acceptedAt, type SubmitReceipt } from "../job/receipt.ts";
import type { Intake } from "../submit/intake.ts";
import { submissionOf } from "../submit/submission-of.ts";
import { toTransaction } from "./recognise.ts";
import type { TransactionHandle } from "./transaction.ts";

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
    return jobIds.map((id, i) => ({ id, accepted: acceptedAt(i, joined), replayed }));
  }
}
