// A transaction that the caller of Millrace began on the database of the store. The store runs its statements in it and neither
// commits it nor rolls it back.

/** An open transaction of the application, as an adapter presents it. */
export interface CallerTransaction {
  /**
   * Runs one statement with numbered parameters (`$1`). Every value is a string or null. Every row that comes back has one
   * column, `answer`, with a string.
   */
  query(text: string, values: readonly (string | null)[]): Promise<readonly { answer: string }[]>;
  /** Runs a second statement right after the first if that has an answer. The adapters have none; a store thread sends both at once. */
  queryBoth?(first: BoundStatement, second: SecondStatement): Promise<readonly (readonly { answer: string }[])[]>;
}

export interface BoundStatement {
  text: string;
  values: (string | null)[];
}

/** Its value at this place is the answer of the first statement, a JSON string. */
export interface SecondStatement extends BoundStatement {
  at: number;
}

/** Runs both in the thread that has the connection. */
export async function runBoth(tx: CallerTransaction, first: BoundStatement, { text, values, at }: SecondStatement) {
  const rows = await tx.query(first.text, first.values);
  const answer = rows[0]?.answer ?? null;
  if (answer === null) return [rows];
  return [rows, await tx.query(text, values.with(at, JSON.parse(answer) as string))];
}

/** A statement on its way from the store thread to the thread of the caller, which alone has the connection. */
export interface CallerStatement {
  /** The number of the call that the statement belongs to. */
  call: number;
  number: number;
  text: string;
  values: (string | null)[];
  /** Runs right after it, if it has an answer. */
  second?: SecondStatement;
}

/** The answer to a statement. A failure stays in the thread of the caller, because it may be an object of a driver. */
export type StatementAnswer =
  | { number: number; answers: string[]; second?: string[] }
  | { number: number; failed: true };
