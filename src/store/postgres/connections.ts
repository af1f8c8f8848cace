// All talk with the server goes through here: two small pools (one for what must be quick, one for lists and searches),
// a bound on every wait, and another try where the server says that one helps.

import type postgres from "postgres";
import { AppError } from "../../lib/app-error.ts";
import { classify, isUnprepared, toAppError } from "./errors.ts";
import type { Target } from "./target.ts";

export type Value = string | number | boolean | Uint8Array | null;

/** Something statements can be run on: the pool (each is its own transaction), or one transaction. */
export interface Runner {
  run<Row = Record<string, never>>(statement: string, values: readonly Value[]): Promise<Row[]>;
}

/**
 * The server ends a statement that takes longer than this, a lock it waits for included. The client waits a little more
 * and then takes the connection for dead: on one that was cut off silently no answer ever comes.
 */
const WRITE_MS = 4_000;
const READ_MS = 30_000;
const SILENT_MS = 700;
const CONNECT_S = 3;
const TRIES = 6;

type Client = postgres.Sql<{ bigint: number }>;

export class Connections {
  readonly target: Target;
  readonly write: Pool;
  readonly read: Pool;
  /** For names, which may have to be looked up in the middle of a transaction that has the last connection. */
  readonly names: Pool;

  constructor(target: Target) {
    this.target = target;
    this.write = new Pool(target, { most: target.connections, limitMs: WRITE_MS, name: "millrace" });
    this.read = new Pool(target, { most: 2, limitMs: READ_MS, name: "millrace reader" });
    this.names = new Pool(target, { most: 1, limitMs: WRITE_MS, name: "millrace names" });
  }

  async close(): Promise<void> {
    await Promise.all([this.write.close(), this.read.close(), this.names.close()]);
  }
}

interface PoolOptions {
  most: number;
  limitMs: number;
  name: string;
}

export class Pool implements Runner {
  readonly #target: Target;
  readonly #options: PoolOptions;
  #client: Client;
  #prepare: boolean;

  constructor(target: Target, options: PoolOptions) {
    this.#target = target;
    this.#options = options;
    this.#prepare = target.prepare;
    this.#client = this.#connect();
  }

  /** One statement, and one transaction. */
  run<Row = Record<string, never>>(statement: string, values: readonly Value[]): Promise<Row[]> {
    return this.#again(() => {
      const client = this.#client;
      return this.#inTime(client, this.#send<Row>(client, statement, values));
    });
  }

  /** All of `work`, or nothing of it. It may be called again, so it keeps nothing outside of what it returns. */
  transact<T>(work: (tx: Runner) => Promise<T>, limitMs = this.#options.limitMs): Promise<T> {
    return this.#again(() => {
      const client = this.#client;
      const done = client.begin((tx) => work({ run: (statement, values) => this.#send(tx, statement, values) }));
      return this.#inTime(client, done as Promise<T>, limitMs);
    });
  }

  async close(): Promise<void> {
    await this.#client.end({ timeout: 2 });
  }

  async #send<Row>(client: Pick<Client, "unsafe">, statement: string, values: readonly Value[]): Promise<Row[]> {
    const rows = await client.unsafe(this.#target.inSchema(statement), values as never[], { prepare: this.#prepare });
    return rows as unknown as Row[];
  }

  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (this.#prepare && isUnprepared(error)) {
          // Behind a pooler that hands out sessions by transaction: every statement goes whole from here on.
          this.#prepare = false;
          continue;
        }
        if (classify(error) !== "retry" || tries >= TRIES) throw toAppError(error);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** tries));
      }
    }
  }

  /** A connection on which no answer comes is given up with its pool; what waits on it is told, and a new one made. */
  async #inTime<T>(client: Client, answer: Promise<T>, limitMs = this.#options.limitMs): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (this.#client === client) {
          this.#client = this.#connect();
          void client.end({ timeout: 0 }).catch(() => {});
        }
        reject(new AppError("store-unavailable", "The database does not answer.", { hint: "Try again." }));
      }, limitMs + SILENT_MS);
    });
    answer.catch(() => {}); // when it comes too late, nobody waits for it
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #connect(): Client {
    const { most, limitMs, name } = this.#options;
    return this.#target.connect({
      max: most,
      connect_timeout: CONNECT_S,
      // The driver's own pauses grow to 20 s; we ask again when somebody needs an answer.
      backoff: (attempts: number) => Math.min(0.5, 0.02 * 2 ** attempts),
      connection: this.#target.sessionSettings({
        application_name: name,
        statement_timeout: limitMs,
        idle_in_transaction_session_timeout: limitMs * 2,
      }),
    });
  }
}
