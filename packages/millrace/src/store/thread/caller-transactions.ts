// How a verb that runs in the store thread uses a transaction of the caller's, whose connection is in the thread of the caller. The
// statements travel there and their answers travel back.

import { toCallerError } from "../caller-error.ts";
import {
  type CallerStatement,
  type CallerTransaction,
  runBoth,
  type StatementAnswer,
} from "../verbs/caller-transaction.ts";

/** In the thread of the caller: the transactions of calls that are under way. */
export class CallerTransactions {
  readonly #under = new Map<number, { tx: CallerTransaction; failure?: unknown }>();
  readonly #send: (answer: StatementAnswer) => void;

  constructor(send: (answer: StatementAnswer) => void) {
    this.#send = send;
  }

  begin(call: number, tx: CallerTransaction): void {
    this.#under.set(call, { tx });
  }

  /** The error that a statement of the call failed with, for the caller. Undefined: none of them failed. */
  end(call: number): Error | undefined {
    const ended = this.#under.get(call);
    this.#under.delete(call);
    return ended && "failure" in ended ? toCallerError(ended.failure) : undefined;
  }

  async run({ call, number, text, values, second }: CallerStatement): Promise<void> {
    const under = this.#under.get(call);
    try {
      if (!under) throw new Error("the call has ended");
      const [rows = [], more] = second
        ? await runBoth(under.tx, { text, values }, second)
        : [await under.tx.query(text, values)];
      this.#send({ number, answers: answersOf(rows), ...(more && { second: answersOf(more) }) });
    } catch (failure) {
      if (under) under.failure = failure;
      this.#send({ number, failed: true });
    }
  }
}

function answersOf(rows: readonly { answer: string }[]): string[] {
  return rows.map(({ answer }) => answer);
}

type ReceivedAnswer = Extract<StatementAnswer, { answers: string[] }>;

/** In the store thread: a transaction of the caller's, as the verbs see it. */
export class RemoteTransactions {
  readonly #waiting = new Map<number, { resolve(answer: ReceivedAnswer): void; reject(error: Error): void }>();
  readonly #send: (statement: CallerStatement) => void;
  #next = 0;

  constructor(send: (statement: CallerStatement) => void) {
    this.#send = send;
  }

  of(call: number): CallerTransaction {
    return {
      query: async (text, values) => rowsOf((await this.#ask({ call, text, values: [...values] })).answers),
      queryBoth: async (first, second) => {
        const answered = await this.#ask({ call, ...first, second });
        return [rowsOf(answered.answers), ...(answered.second ? [rowsOf(answered.second)] : [])];
      },
    };
  }

  #ask(statement: Omit<CallerStatement, "number">): Promise<ReceivedAnswer> {
    return new Promise((resolve, reject) => {
      const number = this.#next++;
      this.#waiting.set(number, { resolve, reject });
      this.#send({ ...statement, number });
    });
  }

  answered(answer: StatementAnswer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if ("answers" in answer) waiting?.resolve(answer);
    else waiting?.reject(new Error("a statement in the caller's transaction failed"));
  }
}

function rowsOf(answers: readonly string[]): { answer: string }[] {
  return answers.map((answer) => ({ answer }));
}
