// The verbs that run in a transaction of the caller's own. Only PostgreSQL has them: only Millrace may write to its SQLite
// file.

import type { Lease } from "../../job/lease.ts";
import type { SettleResult } from "./attempts.ts";
import type { CallerTransaction } from "./caller-transaction.ts";
import type { Submission, SubmitAnswer } from "./submission.ts";
import type { NewSignal, SignalAnswer } from "./waits.ts";

export interface WithinVerbs {
  /**
   * Stores jobs that exist if and only if the caller's transaction commits. Nothing is written before the submission is accepted,
   * and no statement fails because of what it finds, so that a refusal leaves the transaction as it was.
   */
  submitWithin(tx: CallerTransaction, submission: Submission): Promise<SubmitAnswer>;
  /**
   * Sends a signal that exists if and only if the caller's transaction commits. The job gets it after the commit, and a signal to a job
   * that has ended by then is set aside. Like `submitWithin` it writes nothing before it is accepted.
   */
  signalWithin(tx: CallerTransaction, signal: NewSignal): Promise<SignalAnswer>;
  /**
   * Call this after the commit. It tells every process that there is work. `signalled` names the jobs that it sent
   * signals to.
   */
  announceWork(signalled?: string[]): Promise<void>;
  /**
   * Stores a step of the attempt, and with a `result` also settles the attempt, if and only if the caller's transaction commits. It
   * locks the job, so it is the last call before the commit.
   */
  saveStepWithin(tx: CallerTransaction, lease: Lease, step: StepWithin): Promise<StepWithinAnswer>;
  /**
   * Call this after the end of a transaction in which `saveStepWithin` was to settle the attempt, whether it was
   * committed or not.
   */
  endStepWithin(lease: Lease, isCommitted: boolean): Promise<void>;
}

/** A step that is stored in a transaction of the caller's. */
export interface StepWithin {
  name: string;
  /** Its result, as JSON text. */
  value: string;
  /** The handler that undoes it. */
  undo?: string;
  /** The result of the stage, as JSON text. The attempt completes with it. */
  result?: string;
}

/** `settled`: how the attempt ends with the commit, if the step had a result. */
export type StepWithinAnswer = "lease-lost" | { settled?: SettleResult };
