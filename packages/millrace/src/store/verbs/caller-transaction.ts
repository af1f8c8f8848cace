// A transaction that the caller of Millrace began on the database of the store. The store runs its statements in it and neither
// commits it nor rolls it back.

/** An open transaction of the application, as an adapter presents it. */
export interface CallerTransaction {
  /**
   * Runs one statement with numbered parameters (`$1`). Every value is a string or null. Every row that comes back has one
   * column, `answer`, with a string.
   */
  query(text: string, values: readonly (string | null)[]): Promise<readonly { answer: string }[]>;
}

/** A statement on its way from the store thread to the thread of the caller, which alone has the connection. */
export interface CallerStatement {
  /** The number of the call that the statement belongs to. */
  call: number;
  number: number;
  text: string;
  values: (string | null)[];
}

/** The answer to a statement. A failure stays in the thread of the caller, because it may be an object of a driver. */
export type StatementAnswer = { number: number; answers: string[] } | { number: number; failed: true };
