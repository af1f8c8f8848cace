// Every statement goes through here: small pools of connections (for quick calls, for lists and searches, and for names),
// a time limit on every wait, and a retry where the server's error code says that one helps.

import { AppError } from "../../../lib/app-error.ts";
import { backoffMs } from "../../../lib/backoff.ts";
import { Reads } from "../thread/reads.ts";
import { type PipelinedTransaction, PostgresConnection, type StatementRunner, type Value } from "./connection.ts";
import { classify, isUnprepared, toAppError } from "./errors.ts";
import type { Query } from "./statement.ts";
import type { DatabaseTarget } from "./target.ts";

/**
 * The server ends a statement that takes longer than this, a lock it waits for included. The client waits a little
 * longer and then drops the connection, because a silently broken one never answers.
 */
const WRITE_MS = 4_000;
const READ_MS = 30_000;
const SILENT_MS = 700;
const READERS = 2;
/** One tenant may use one connection less, so that its searches cannot block another tenant's. */
const SEARCHES = 2;
/**
 * A process that is paused in a transaction keeps its row locks. Other processes should not wait for them longer than
 * for its lease.
 */
const IDLE_MS = 3_000;
const TRIES = 6;
const CONFLICT_PAUSE = { baseMs: 2, maxMs: 64 };
/**
 * This is set in any case, whatever the default of the database: a transaction that waited for a lock must see what was
 * committed under it.
 */
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";
/** Begins a transaction whose reads all see the same moment. */
export const SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

export class Connections {
  readonly target: DatabaseTarget;
  readonly write: ConnectionPool;
  readonly read: ConnectionPool;
  /**
   * For reads by filter: lists use the connections of all other reads, searches have their own, so that no list waits
   * for a search.
   */
  readonly lists: Reads;
  readonly searches: Reads;
  readonly #search: ConnectionPool;
  /** For names, which may have to be looked up in the middle of a transaction that has the last connection. */
  readonly names: ConnectionPool;

  constructor(target: DatabaseTarget, { queryMs = 0 }: { queryMs?: number } = {}) {
    this.target = target;
    this.write = new ConnectionPool(target, {
      most: target.connections,
      limitMs: WRITE_MS,
      idleMs: IDLE_MS,
      name: "millrace",
      byIndex: true,
    });
    this.read = new ConnectionPool(target, {
      most: READERS,
      limitMs: READ_MS,
      name: "millrace reader",
      prepare: false,
    });
    this.#search = new ConnectionPool(target, {
      most: SEARCHES,
      limitMs: queryMs > 0 ? queryMs : READ_MS,
      name: "millrace search",
      prepare: false,
    });
    this.lists = new Reads(this.read, { most: READERS, mostOfOne: READERS, limitMs: queryMs });
    this.searches = new Reads(this.#search, { most: SEARCHES, mostOfOne: SEARCHES - 1, limitMs: queryMs });
    this.names = new ConnectionPool(target, { most: 1, limitMs: WRITE_MS, name: "millrace names", byIndex: true });
  }

  async close(): Promise<void> {
    await Promise.all([this.write, this.read, this.#search, this.names].map((pool) => pool.close()));
  }
}

export interface ConnectionPoolOptions {
  most: number;
  limitMs: number;
  /** How long a transaction may wait for its next statement before the server ends it. */
  idleMs?: number;
  name: string;
  prepare?: boolean;
  /**
   * No table with an index is read from end to end. A plan is kept until the next vacuum, and a plan that was made
   * while the queue was empty read all of it later: 250 ms a claim at 200,000 jobs.
   */
  byIndex?: boolean;
}

interface PendingAcquire {
  resolve(connection: PostgresConnection): void;
  reject(error: unknown): void;
}

export class ConnectionPool implements StatementRunner {
  readonly #target: DatabaseTarget;
  readonly #options: ConnectionPoolOptions;
  readonly #idle: PostgresConnection[] = [];
  readonly #lent = new Set<PostgresConnection>();
  #opening = 0;
  #waiting: PendingAcquire[] = [];
  #prepare: boolean;
  #closed = false;
  #fullAt = Number.NEGATIVE_INFINITY;

  constructor(target: DatabaseTarget, options: ConnectionPoolOptions) {
    this.#target = target;
    this.#options = options;
    this.#prepare = target.prepare && options.prepare !== false;
  }

  /** When the server last said that its disk is full, by the monotonic clock. */
  get fullAt(): number {
    return this.#fullAt;
  }

  /** Runs one statement as one transaction. */
  run<Row = Record<string, never>>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    const text = this.#target.inSchema(statement);
    return this.#again((connection) => connection.run<Row>(text, values));
  }

  /** All of `work`, or nothing of it. It may be called again, so it must not change anything outside. */
  async transact<T>(
    work: (tx: PipelinedTransaction) => Promise<T>,
    options: { limitMs?: number; begin?: string } = {},
  ): Promise<T> {
    const { limitMs = this.#options.limitMs, begin = BEGIN } = options;
    let laterWork: (() => Promise<void>)[] = [];
    const result = await this.#again(async (connection) => {
      laterWork = [];
      const begun = connection.run(begin); // The promise is not awaited here, because BEGIN travels with the first statement.
      begun.catch(() => {});
      const last: Promise<unknown>[] = [];
      try {
        const result = await work({
          run: (statement, values) => connection.run(this.#target.inSchema(statement), values),
          afterCommit: (leaveWork) => laterWork.push(leaveWork),
          withCommit: (writes) => {
            writes.catch(() => {});
            last.push(writes);
          },
        });
        // After a statement that fails, the server takes the commit for a rollback.
        const committed = connection.run("COMMIT");
        await Promise.all([begun, ...last, committed]);
        return result;
      } catch (error) {
        if (!connection.broken) await connection.run("ROLLBACK").catch(() => connection.destroy());
        throw error;
      }
    }, limitMs);
    for (const leaveWork of laterWork) await leaveWork();
    return result;
  }

  /**
   * Sends a transaction and the reads after it at once, without waiting for each answer. After the commit only the
   * reads are retried, not the transaction.
   */
  async together({ transaction, after = [] }: { transaction: Query[]; after?: Query[] }): Promise<unknown[][]> {
    const { answers, read } = await this.#again(async (connection) => {
      const ask = ([text, values]: Query) => connection.run(this.#target.inSchema(text), values);
      const begun = connection.run(BEGIN);
      const within = transaction.map(ask);
      const committed = connection.run("COMMIT");
      const later = after.map(ask);
      // The connection is in use until the last statement has answered.
      await Promise.allSettled([begun, ...within, committed, ...later]);
      await Promise.all([begun, committed]);
      return { answers: await Promise.all(within), read: await Promise.all(later).catch(() => undefined) };
    });
    const again = (query: Query) => this.run(...query);
    return [...answers, ...(read ?? (await Promise.all(after.map(again))))];
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting) reject(closedError());
    this.#waiting = [];
    for (const connection of this.#lent) connection.destroy();
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #again<T>(work: (connection: PostgresConnection) => Promise<T>, limitMs = this.#options.limitMs): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#lend(work, limitMs);
      } catch (error) {
        if (this.#prepare && isUnprepared(error)) {
          // The server is behind a transaction pooler, so statements are no longer prepared.
          this.#prepare = false;
          for (const connection of this.#idle.splice(0)) connection.destroy();
          continue;
        }
        if (classify(error) === "full") this.#fullAt = performance.now();
        if (classify(error) !== "retry" || tries >= TRIES) throw toAppError(error);
        await new Promise((resolve) => setTimeout(resolve, backoffMs(tries, CONFLICT_PAUSE, Math.random)));
      }
    }
  }

  async #lend<T>(work: (connection: PostgresConnection) => Promise<T>, limitMs: number): Promise<T> {
    const connection = await this.#acquire();
    this.#lent.add(connection);
    let silent = false;
    const timer = setTimeout(() => {
      silent = true;
      connection.destroy();
    }, limitMs + SILENT_MS);
    try {
      return await work(connection);
    } catch (error) {
      throw silent ? noAnswer() : error;
    } finally {
      clearTimeout(timer);
      this.#lent.delete(connection);
      this.#giveBack(connection);
    }
  }

  async #acquire(): Promise<PostgresConnection> {
    if (this.#closed) throw closedError();
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (!connection.broken) return connection;
    }
    if (this.#lent.size + this.#opening < this.#options.most) return this.#open();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(new AppError("store-unavailable", "All connections to the database are busy.", { hint: "Try again." }));
      }, WRITE_MS);
      const waiting: PendingAcquire = {
        resolve: (connection) => {
          clearTimeout(late);
          resolve(connection);
        },
        reject: (error) => {
          clearTimeout(late);
          reject(error);
        },
      };
      this.#waiting.push(waiting);
    });
  }

  async #open(): Promise<PostgresConnection> {
    const { name, limitMs, idleMs = limitMs * 2, byIndex = false } = this.#options;
    this.#opening++;
    try {
      const session = {
        application_name: name,
        statement_timeout: limitMs,
        idle_in_transaction_session_timeout: idleMs,
        ...(byIndex && { enable_seqscan: "off" }),
      };
      const { atStart, inside } = this.#target.sessionSettings(session);
      const connection = await PostgresConnection.open({
        url: this.#target.url,
        session: atStart,
        inside,
        prepare: this.#prepare,
      });
      connection.onEnd(() => {
        const index = this.#idle.indexOf(connection);
        if (index >= 0) this.#idle.splice(index, 1);
      });
      return connection;
    } catch (error) {
      // Calls that wait are rejected, because no connection will come. The next call tries again.
      const [next] = this.#waiting.splice(0, 1);
      next?.reject(error);
      throw error;
    } finally {
      this.#opening--;
    }
  }

  #giveBack(connection: PostgresConnection): void {
    if (this.#closed) return void connection.close();
    const next = this.#waiting.shift();
    if (!connection.broken) {
      if (next) next.resolve(connection);
      else this.#idle.push(connection);
    } else if (next) {
      this.#open().then(next.resolve, next.reject);
    }
  }
}

function noAnswer(): AppError {
  return new AppError("store-unavailable", "The database does not answer.", { hint: "Try again." });
}

function closedError(): AppError {
  return new AppError("store-closed", "The store is closed.");
}
