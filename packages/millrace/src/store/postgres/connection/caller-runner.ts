// Statements in a transaction of the caller's. Each library passes values in its own way: one sends a number as int4, another as
// int8, a third encodes JSON twice. So every value travels as text and is cast in the statement, and every answer is one JSON
// string.

import { type CallerTransaction, runBoth } from "../../verbs/caller-transaction.ts";
import type { StatementRunner, Value } from "./connection.ts";
import type { DatabaseTarget } from "./target.ts";

const CAST = /\$(\d+)::(?!text\b(?!\[))/g;
/** The rewritten text of each statement, because rewriting one of 2 kB takes as long as sending it. */
const TEXTS = new WeakMap<DatabaseTarget, Map<string, string>>();

export class CallerRunner implements StatementRunner {
  readonly #tx: CallerTransaction;
  readonly #target: DatabaseTarget;

  constructor(tx: CallerTransaction, target: DatabaseTarget) {
    this.#tx = tx;
    this.#target = target;
  }

  /** A statement that only reads. */
  async run<Row = Record<string, never>>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    const text = `SELECT coalesce(json_agg(found), '[]')::text AS answer FROM (${statement}) AS found`;
    return (await this.ask<Row[]>(text, values)) ?? [];
  }

  /** A statement whose one row is a JSON string called `answer`: a statement that writes cannot stand within another. */
  async ask<Answer>(statement: string, values: readonly Value[]): Promise<Answer | undefined> {
    return answerIn<Answer>(await this.#tx.query(textOf(this.#target, statement), values.map(asText)));
  }

  /**
   * The same for two statements. The second runs only if the first has an answer, a string, which is its value at `at`. Both
   * travel to the thread of the connection together.
   */
  async askBoth<Answer>(
    [first, values]: Question,
    [second, moreValues, at]: [...Question, at: number],
  ): Promise<[first: string | undefined, second: Answer | undefined]> {
    const both = [
      { text: textOf(this.#target, first), values: values.map(asText) },
      { text: textOf(this.#target, second), values: moreValues.map(asText), at },
    ] as const;
    const [rows = [], more = []] = await (this.#tx.queryBoth?.(...both) ?? runBoth(this.#tx, ...both));
    return [answerIn<string>(rows), answerIn<Answer>(more)];
  }
}

type Question = [statement: string, values: readonly Value[]];

function answerIn<Answer>([row]: readonly { answer: string | null }[]): Answer | undefined {
  return row === undefined || row.answer === null ? undefined : (JSON.parse(row.answer) as Answer);
}

function textOf(target: DatabaseTarget, statement: string): string {
  let texts = TEXTS.get(target);
  if (!texts) {
    texts = new Map();
    TEXTS.set(target, texts);
  }
  let text = texts.get(statement);
  if (text === undefined) {
    text = target.inSchema(statement).replace(CAST, "$$$1::text::");
    texts.set(statement, text);
  }
  return text;
}

function asText(value: Value): string | null {
  if (value === null || typeof value === "string") return value;
  if (value instanceof Uint8Array) throw new Error("a caller's transaction takes no bytes");
  return String(value);
}
