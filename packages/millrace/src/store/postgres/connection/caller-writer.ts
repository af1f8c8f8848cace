// The statements of a settlement in a transaction of the caller's. They were written for our own connection: they bind values of all
// types, and write without an answer. Libraries differ in both. So values travel as literals within the statement, and the rows of a
// SELECT as one JSON string. So do those that end a WITH which writes. Any other statement that writes gives no rows.

import type { CallerTransaction } from "../../verbs/caller-transaction.ts";
import type { OwnTransaction, Value } from "./connection.ts";
import type { DatabaseTarget } from "./target.ts";

const PARAMETER = /\$(\d+)/g;
const READS = /^\s*SELECT\b/;
/** A WITH that writes cannot be part of another statement. */
const ENDS_WITH_ROWS = /^(\s*WITH\b.*)\bSELECT \* FROM (\w+)\s*$/s;

export class CallerWriter implements OwnTransaction {
  readonly #tx: CallerTransaction;
  readonly #target: DatabaseTarget;
  /** Not every library takes a second statement before it has answered the first. */
  #last: Promise<unknown> = Promise.resolve();
  /** Whether the caller has work to do after the commit. */
  leavesWork = false;

  constructor(tx: CallerTransaction, target: DatabaseTarget) {
    this.#tx = tx;
    this.#target = target;
  }

  run<Row = Record<string, never>>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    const whole = this.#target
      .inSchema(statement)
      .replace(PARAMETER, (_, number) => literal(values[number - 1] ?? null));
    const asked = this.#last.then(() => this.#ask<Row>(whole));
    this.#last = asked.catch(() => {});
    return asked;
  }

  async #ask<Row>(statement: string): Promise<Row[]> {
    const text = asJson(statement);
    const [row] = await this.#tx.query(text ?? statement, []);
    return text === undefined ? [] : (JSON.parse(row?.answer ?? "[]") as Row[]);
  }

  /** The work itself is found in the tables, because the statements that leave it gave no rows. */
  afterCommit(): void {
    this.leavesWork = true;
  }
}

/** The statement with its rows as one JSON string. Undefined: it gives none. */
function asJson(statement: string): string | undefined {
  if (READS.test(statement))
    return `SELECT coalesce(json_agg(found), '[]')::text AS answer FROM (${statement}) AS found`;
  const [, parts, last] = ENDS_WITH_ROWS.exec(statement) ?? [];
  return last && `${parts}SELECT coalesce(json_agg(${last}), '[]')::text AS answer FROM ${last}`;
}

/** Libraries look for `?` and `$1` in a statement, so these travel as escapes. An escape string is read alike under every setting. */
function literal(value: Value): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) throw new Error("a caller's transaction takes no bytes");
  const escaped = String(value).replace(/[\\'?$:@]/g, (found) => `\\x${found.charCodeAt(0).toString(16)}`);
  return `E'${escaped}'`;
}
