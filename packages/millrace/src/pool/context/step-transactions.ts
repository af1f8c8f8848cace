// Steps whose value is stored in the same commit as the processor's own writes. Where the row of the step stands depends on the store:
//
//   PostgreSQL, and a transaction on its database   in the store itself: the lease is checked in that transaction
//   anything else                                   in the table `millrace_step` of the application's own database: the lease is
//                                                   checked just before, and the store gets the step after the commit

import type { StepOptions, StepRun } from "../../job/context.ts";
import type { ClaimedJob } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import type { DatabaseSource, SqliteConnection } from "../../job/transaction-source.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { SettleResult } from "../../store/verbs/attempts.ts";
import { isMysqlConnection, isMysqlPool, isSqlite } from "../../transaction/databases/recognise-database.ts";
import { runInDatabase } from "../../transaction/databases/run-in-database.ts";
import { type StepRow, type StepTable, sqliteStepTable, stepTableOf } from "../../transaction/databases/step-table.ts";
import { toTransaction } from "../../transaction/recognise.ts";
import { runTransaction } from "../../transaction/run-transaction.ts";
import type { TransactionHandle } from "../../transaction/transaction.ts";
import type { AttemptLease } from "./attempt-lease.ts";
import { currentTransaction, runInTransaction } from "./current-step.ts";
import type { TransactionPort } from "./port.ts";
import { type StepCall, type Steps, stepText } from "./steps.ts";

/** How a transaction that completes the stage ends the attempt. `settled` is missing if the pool has yet to settle it. */
export interface Completion {
  readonly outcome: Extract<Outcome, { type: "completed" }>;
  readonly settled?: SettleResult;
  /** The transaction that completed it. */
  readonly by: string;
}

/**
 * Refuses a call inside a transaction, which could not be undone with it, and one after the end of the attempt, which
 * would be lost.
 */
export function refuseCall(call: string, completion: Completion | undefined): void {
  const inside = currentTransaction();
  if (inside !== undefined) {
    throw new AppError("transaction-unusable", `${call} is not allowed inside the transaction "${inside}".`, {
      hint: "Call it before or after. Inside, use the transaction alone.",
    });
  }
  if (completion === undefined) return;
  const message = `${call} came after ctx.transaction("${completion.by}", …, { complete: true }) ended the attempt.`;
  throw new AppError("transaction-unusable", message, { hint: "Call it before the transaction." });
}

export interface StepTransactionsOptions {
  steps: Steps;
  lease: AttemptLease;
  port: TransactionPort | undefined;
  job: ClaimedJob;
  /** Stores log lines, progress and chunks that are gathered. */
  flush(): Promise<void>;
  onCompleted(completion: Completion): void;
}

type Options = StepOptions & { undo?: string; complete?: boolean };
type Work = (tx: never, step: StepRun) => unknown;

interface TransactionRun {
  readonly call: StepCall;
  readonly key: string;
  readonly port: TransactionPort;
  readonly complete: boolean;
}

export class StepTransactions {
  readonly #options: StepTransactionsOptions;

  constructor(options: StepTransactionsOptions) {
    this.#options = options;
  }

  /** Begins a transaction, runs the work in it, stores the step and commits. */
  async run<T>(name: string, db: DatabaseSource, work: Work, options: Options = {}): Promise<Jsonified<T>> {
    const { steps } = this.#options;
    const call = steps.use("transaction", name, work, options);
    const port = this.#portFor(`ctx.transaction("${name}")`);
    const { complete = false } = options;
    const beginning = await steps.begin(call);
    if ("stored" in beginning) {
      if (complete) await this.#complete(call, beginning.stored, port);
      return JSON.parse(beginning.stored) as Jsonified<T>;
    }
    const running: TransactionRun = { call, key: beginning.key, port, complete };
    return isBeside(db, port) ? this.#runBeside<T>(db, work, running) : this.#runInStore<T>(db, work, running);
  }

  /** Stores a step in a transaction that the processor began and will commit. */
  async step<T>(
    name: string,
    work: (step: StepRun) => unknown,
    { tx, ...options }: StepOptions & { undo?: string; tx?: unknown },
  ): Promise<Jsonified<T>> {
    const { steps, job } = this.#options;
    const call = steps.use("step", name, work, options);
    const port = this.#portFor(`ctx.step("${name}", …, { tx })`);
    const beginning = await steps.begin(call);
    if ("stored" in beginning) return JSON.parse(beginning.stored) as Jsonified<T>;
    const { key } = beginning;
    await this.#confirm();
    const run = async () => stepText(name, await runInTransaction(name, () => work({ key })));
    if (!isBeside(tx, port)) {
      const value = await run();
      await this.#saveInStore(tx as TransactionHandle, { call, key, port, complete: false }, value);
      return JSON.parse(value) as Jsonified<T>;
    }
    const table = isSqlite(tx) ? sqliteStepTable(tx) : await stepTableOf(tx);
    const known = await table.find(key);
    if (known !== undefined) return JSON.parse(known) as Jsonified<T>;
    const value = await run();
    await this.#confirm();
    await table.add(rowOf(key, job, name, value));
    return JSON.parse(value) as Jsonified<T>;
  }

  async #runInStore<T>(db: DatabaseSource, work: Work, running: TransactionRun): Promise<Jsonified<T>> {
    const { call, key, port, complete } = running;
    if (complete) await this.#options.flush();
    await this.#confirm();
    // A library may run the work again after a conflict. Only the last run commits.
    let saved: { value: string; result?: string; settled?: SettleResult } | undefined;
    let isCommitted = false;
    try {
      await runTransaction(db, async (tx: never) => {
        const value = stepText(call.name, await runInTransaction(call.name, () => work(tx, { key })));
        const result = complete ? await port.resultOf(value) : undefined;
        // After the commit the lease is over, and the attempt can store nothing more.
        if (complete) await this.#options.flush();
        const settled = await this.#saveInStore(tx, running, value, result);
        saved = { value, ...(result !== undefined && { result }), ...(settled && { settled }) };
      });
      isCommitted = true;
    } finally {
      if (saved?.settled) await port.settled(isCommitted).catch(() => {});
    }
    const { value, result = "", settled } = saved as NonNullable<typeof saved>;
    if (settled) this.#completed(call, result, settled);
    return this.#options.steps.remember<T>(call.name, value);
  }

  async #saveInStore(
    tx: TransactionHandle,
    { call, port }: TransactionRun,
    value: string,
    result?: string,
  ): Promise<SettleResult | undefined> {
    const { name, undo } = call;
    const answer = await port.saveStep(toTransaction(tx), {
      name,
      value,
      ...(undo !== undefined && { undo }),
      ...(result !== undefined && { result }),
    });
    return this.#options.lease.held(answer).settled;
  }

  async #runBeside<T>(db: DatabaseSource, work: Work, running: TransactionRun): Promise<Jsonified<T>> {
    const { call, port, complete } = running;
    await this.#confirm();
    const value = isSqlite(db)
      ? this.#runOnSqlite(db, work, running)
      : await runInDatabase(db, (tx) => this.#runOnTable(tx, work, running));
    const stored = await this.#options.steps.save<T>(call, value);
    if (complete) await this.#complete(call, value, port);
    return stored;
  }

  async #runOnTable(tx: unknown, work: Work, { call: { name }, key, port, complete }: TransactionRun): Promise<string> {
    const table: StepTable = await stepTableOf(tx);
    const known = await table.find(key);
    if (known !== undefined) return known;
    const value = stepText(name, await runInTransaction(name, () => work(tx as never, { key })));
    if (complete) await port.resultOf(value);
    await this.#confirm();
    await table.add(rowOf(key, this.#options.job, name, value));
    return value;
  }

  /**
   * This function must not await: other code of the process uses the same connection, and would write into the
   * transaction.
   */
  #runOnSqlite(db: SqliteConnection, work: Work, { call: { name }, key, port, complete }: TransactionRun): string {
    const table = sqliteStepTable(db);
    db.exec("BEGIN IMMEDIATE");
    try {
      const known = table.find(key);
      const value =
        known ??
        stepText(
          name,
          returned(
            name,
            runInTransaction(name, () => work(db as never, { key })),
          ),
        );
      if (known === undefined) {
        if (complete) returned(name, port.resultOf(value));
        table.add(rowOf(key, this.#options.job, name, value));
      }
      db.exec("COMMIT");
      return value;
    } catch (error) {
      rollBack(db);
      throw error;
    }
  }

  async #complete(call: StepCall, value: string, port: TransactionPort): Promise<void> {
    this.#completed(call, await port.resultOf(value));
  }

  #completed({ name }: StepCall, result: string, settled?: SettleResult): void {
    const outcome = { type: "completed" as const, result };
    this.#options.onCompleted({ outcome, by: name, ...(settled && { settled }) });
  }

  async #confirm(): Promise<void> {
    const { lease } = this.#options;
    while ((await lease.confirm()).isOver);
    lease.refuseIfClosing();
  }

  #portFor(call: string): TransactionPort {
    const { port } = this.#options;
    if (port) return port;
    throw new AppError("transaction-unusable", `${call} does not run in an isolated processor.`, {
      hint: "A transaction cannot cross the border of a process. Run the stage in this process, or use a plain step.",
    });
  }
}

function isBeside(db: unknown, { areInStore }: TransactionPort): boolean {
  return !areInStore || isSqlite(db) || isMysqlPool(db) || isMysqlConnection(db);
}

function rowOf(key: string, { lease }: ClaimedJob, name: string, value: string): StepRow {
  return { id: key, job: lease.jobId, name, value, savedAt: Date.now() };
}

function returned<T>(name: string, value: T): Exclude<T, Promise<unknown>> {
  if (!(value instanceof Promise)) return value as Exclude<T, Promise<unknown>>;
  value.catch(() => {});
  throw new AppError("transaction-unusable", `The function of ctx.transaction("${name}") must not return a promise.`, {
    hint: "Calls of a SQLite connection are synchronous. Other code of the process would write into an open transaction.",
  });
}

function rollBack(db: SqliteConnection): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself.
  }
}
