import type { Kind } from "../job/kind/kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import { acceptedAt, type SubmitReceipt } from "../job/receipt.ts";
import type { SignalJob, SignalOptions, SignalReceipt } from "../job/report/messages.ts";
import type { TransactionSource } from "../job/transaction-source.ts";
import type { CallerTransaction } from "../store/verbs/caller-transaction.ts";
import { type Intake, submissionOf } from "../submit/intake.ts";
import { toTransaction } from "./recognise.ts";
import { runTransaction } from "./run-transaction.ts";
import type { TransactionHandle } from "./transaction.ts";

/** The arguments of `millrace.signal()`. */
export interface SignalCall {
  given: Kind | string;
  job: SignalJob;
  name: string;
  value: unknown;
  options: SignalOptions;
}

/** What takes jobs and signals in. */
export interface Entrances {
  intake: Intake;
  messages: { signalWithin(tx: CallerTransaction, signal: SignalCall): Promise<SignalReceipt> };
}

/** Submits jobs and sends signals in a transaction of your own. `millrace.within(tx)` returns it. */
export class JobsWithin {
  readonly #entrances: Entrances;
  readonly #handle: TransactionHandle;
  /** @internal The jobs that got a signal, to be told after the commit. */
  readonly signalled: string[] = [];

  /** @internal */
  constructor(entrances: Entrances, handle: TransactionHandle) {
    this.#entrances = entrances;
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
    const tx = toTransaction(this.#handle);
    const { jobIds, replayed, ...acceptances } = await this.#entrances.intake.submitWithin(
      tx,
      submissionOf(kind, payloads, options),
    );
    return jobIds.map((id, i) => ({ id, accepted: acceptedAt(i, acceptances), replayed }));
  }

  /**
   * Sends a value to a job, by its id or its unique key, as `millrace.signal()` does. The signal exists if and only if the
   * transaction commits, and so does a job that `orSubmit` submits. The job gets it after the commit.
   */
  async signal<Input, Signals, Name extends string>(
    kind: Kind<Input, unknown, Signals> | string,
    job: SignalJob<Input>,
    name: Name,
    value?: Name extends keyof Signals ? Signals[Name] : unknown,
    options: SignalOptions = {},
  ): Promise<SignalReceipt> {
    const tx = toTransaction(this.#handle);
    const call = { given: kind as Kind | string, job, name, value: value ?? null, options };
    const receipt = await this.#entrances.messages.signalWithin(tx, call);
    this.signalled.push(receipt.jobId);
    return receipt;
  }
}

/** Runs the work in a transaction of the source. `signalled`: the jobs that it sent signals to. */
export async function runWithJobs<T>(
  source: TransactionSource,
  within: (tx: TransactionHandle) => JobsWithin,
  work: (tx: never, jobs: JobsWithin) => Promise<T>,
): Promise<{ result: T; signalled: string[] }> {
  // A library may run the work again after a conflict. Only the last run commits.
  let signalled: string[] = [];
  const result = await runTransaction(source, (tx) => {
    const jobs = within(tx);
    signalled = jobs.signalled;
    return work(tx, jobs);
  });
  return { result, signalled };
}
