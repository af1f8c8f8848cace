// One connection to the server. No other file knows the driver.
//
// `pg` rather than `postgres`: when the server went away under load, the latter threw inside its own timers, where no
// code can catch it, and ended the store thread. Its pipeline lets BEGIN and what follows travel together.

import type pg from "pg";
import { type Driver, loadDriver } from "./driver.ts";
import { HANDSHAKE_FAILED } from "./errors.ts";
import type { SessionSettings } from "./target.ts";

export type Value = string | number | boolean | Uint8Array | null;

/** What statements run on: the pool, where each is a transaction of its own, or one transaction. */
export interface StatementRunner {
  run<Row = Record<string, never>>(statement: string, values?: readonly Value[]): Promise<Row[]>;
}

/** One transaction. */
export interface OwnTransaction extends StatementRunner {
  /** Work that must not begin before the commit. A caller that waits for the transaction also waits for this work. */
  afterCommit(work: () => Promise<void>): void;
}

/** One transaction on a connection of ours, which sends statements without waiting for answers. */
export interface PipelinedTransaction extends OwnTransaction {
  /** The last statements, already asked for. They travel with the commit, so no round trip is spent on their answers. */
  withCommit(writes: Promise<unknown>): void;
}

export interface ConnectionOptions {
  url: string;
  /** Settings of the session, such as `statement_timeout`. */
  session: SessionSettings;
  /** Settings that can only be made once the session exists. */
  inside?: SessionSettings;
  /** Statements are planned once and kept on the session. */
  prepare: boolean;
}

const CONNECT_MS = 3_000;
const FAREWELL_MS = 1_000;
const INT8 = 20;

/** Every bigint of ours fits into a number: keys are below 2^53, times are in milliseconds. */
function typesOf({ types }: Driver) {
  return {
    getTypeParser: (oid: number, format?: string) =>
      oid === INT8 ? Number : types.getTypeParser(oid as never, format as never),
  };
}

/** A statement has one name in the whole process, since the server keeps it by its name. */
const names = new Map<string, string>();

function nameOf(statement: string): string {
  let name = names.get(statement);
  if (name === undefined) {
    name = `millrace_${names.size}`;
    names.set(statement, name);
  }
  return name;
}

export class PostgresConnection implements StatementRunner {
  readonly #client: pg.Client;
  readonly #options: ConnectionOptions;
  /** The statements under way. The driver does not always reject them when the connection ends. */
  readonly #under = new Set<(error: Error) => void>();
  #broken = false;
  #ended: (() => void) | undefined;

  private constructor(client: pg.Client, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    client.on("error", (error) => this.#gone(coded(error) as Error));
    client.on("end", () => this.#gone());
  }

  static async open(options: ConnectionOptions): Promise<PostgresConnection> {
    const { application_name, statement_timeout, idle_in_transaction_session_timeout, ...others } = options.session;
    const driver = await loadDriver();
    const client = new driver.Client({
      connectionString: withOptions(options.url, others),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      pipeline: true,
      types: typesOf(driver),
      ...(application_name !== undefined && { application_name: String(application_name) }),
      ...(statement_timeout !== undefined && { statement_timeout: Number(statement_timeout) }),
      ...(idle_in_transaction_session_timeout !== undefined && {
        idle_in_transaction_session_timeout: Number(idle_in_transaction_session_timeout),
      }),
    } as pg.ClientConfig);
    const connection = new PostgresConnection(client, options);
    try {
      await client.connect();
      for (const [name, value] of Object.entries(options.inside ?? {})) {
        await client.query("SELECT set_config($1, $2, false)", [name, String(value)]);
      }
      return connection;
    } catch (error) {
      connection.destroy();
      throw ofHandshake(coded(error));
    }
  }

  /** The server closed the connection, or we gave it up. */
  get broken(): boolean {
    return this.#broken;
  }

  async run<Row = Record<string, never>>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    if (values.length === 0) {
      // Without values it may be several statements; the rows are the last one's.
      const results: unknown = await this.#whileOpen(() => this.#client.query(statement));
      return ((Array.isArray(results) ? results.at(-1) : results) as { rows: Row[] }).rows;
    }
    const { rows } = await this.#whileOpen(() => this.#client.query(this.#query(statement, values)));
    return rows as Row[];
  }

  #query(statement: string, values: readonly Value[]) {
    const name = this.#options.prepare ? { name: nameOf(statement) } : {};
    return { text: statement, values: values as unknown[], ...name };
  }

  #whileOpen<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(connectionLost());
      this.#under.add(reject);
      ask()
        .then(resolve, (error) => reject(coded(error)))
        .finally(() => this.#under.delete(reject));
    });
  }

  #gone(error: Error = connectionLost()): void {
    this.#broken = true;
    const waiting = [...this.#under];
    this.#under.clear();
    for (const reject of waiting) reject(error);
    this.#ended?.();
  }

  /** Listens to a channel for as long as the connection lives. */
  async listen(channel: string, heard: (payload: string) => void): Promise<void> {
    this.#client.on("notification", ({ payload }) => heard(payload ?? ""));
    await this.#client.query(`LISTEN ${channel}`);
  }

  onEnd(ended: () => void): void {
    this.#ended = ended;
    if (this.#broken) ended();
  }

  /**
   * Closes the connection at once, whatever is under way. On a silently broken connection, an orderly close would never
   * be answered.
   */
  destroy(): void {
    this.#gone();
    const { stream } = (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection;
    stream.destroy();
  }

  /** Closes the connection in order, if the server still answers. */
  async close(): Promise<void> {
    if (this.#broken) return;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, FAREWELL_MS);
    await Promise.race([this.#client.end().catch(() => {}), late.promise]);
    clearTimeout(timer);
    this.destroy();
  }
}

/** The driver names a few settings itself. All others travel as options of the server, after the options of the URL. */
function withOptions(url: string, settings: SessionSettings): string {
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  if (ours.length === 0) return url;
  const whole = new URL(url);
  whole.searchParams.set("options", [whole.searchParams.get("options") ?? "", ...ours].join(" ").trim());
  return whole.href;
}

/** Errors of the driver about connections have no code; errors of the server do. */
function coded(error: unknown): unknown {
  if (!(error instanceof Error) || "code" in error || !/connection|timeout|queryable/i.test(error.message))
    return error;
  return Object.assign(error, { code: "CONNECTION_CLOSED" });
}

/** A server that is not PostgreSQL closes the connection or answers in another protocol. */
function ofHandshake(error: unknown): unknown {
  if (!(error instanceof Error) || !/terminated unexpectedly|error establishing an SSL connection/.test(error.message))
    return error;
  return Object.assign(new Error("the connection was closed before a session began", { cause: error }), {
    code: HANDSHAKE_FAILED,
  });
}

function connectionLost(): Error {
  return Object.assign(new Error("the connection was lost"), { code: "CONNECTION_CLOSED" });
}
