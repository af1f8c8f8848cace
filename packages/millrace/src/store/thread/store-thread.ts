// The calling side of a store thread. It gathers the calls of one turn of the loop into one message, and gives each caller its
// answer.

import { Worker } from "node:worker_threads";
import { AppError, type ErrorData, fromErrorData } from "../../lib/app-error.ts";
import type { StoreEvents } from "../store.ts";
import type { CallerStatement, CallerTransaction, StatementAnswer } from "../verbs/caller-transaction.ts";
import { VERBS, type Verb } from "../verbs/table.ts";
import { CallerTransactions } from "./caller-transactions.ts";
import type { CallHandler } from "./calls.ts";
import type { ThreadEntry } from "./thread-entry.ts";
import { type PackedCalls, type PackedReplies, packCall, unpackReply } from "./wire.ts";

/** To the thread: calls with their numbers, the answer to a statement in a caller's transaction, or the request to close. */
export type ToThread = { calls: PackedCalls; answered?: StatementAnswer } | "close";
/** From the thread: it has opened, it could not open, answers to calls, a statement for a caller's transaction, an event, it has closed. */
export type FromThread =
  | { opened: true }
  | { failed: ErrorData }
  | { replies: PackedReplies }
  | { statement: CallerStatement }
  | { event: keyof StoreEvents; data: unknown }
  | { closed: true };

/** With this many calls the message is sent at once, so that the thread works while the main loop still makes more. */
const FLUSH_AT = 128;

/** Verbs that requests over HTTP call. Many of them arrive in one turn of the loop. */
const MANY_IN_A_TURN: ReadonlySet<Verb> = new Set(["submit", "linkTo"]);

export class StoreThread implements CallHandler {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  readonly #closed: Promise<void>;
  readonly #callers: CallerTransactions;
  #queue: PackedCalls = [];
  #scheduled = false;
  #gathering = false;
  #sentInThisTurn = false;
  readonly #flushAt: number;
  #next = 0;
  #closedBy: Error | undefined;

  private constructor(worker: Worker, flushAt: number) {
    this.#worker = worker;
    this.#flushAt = flushAt;
    this.#callers = new CallerTransactions((answered) =>
      worker.postMessage({ calls: [], answered } satisfies ToThread),
    );
    this.#closed = new Promise((resolve) => worker.once("exit", () => resolve()));
  }

  static async open(
    entry: ThreadEntry,
    data: unknown,
    events?: StoreEvents,
    { flushAt = FLUSH_AT }: { flushAt?: number } = {},
  ): Promise<StoreThread> {
    const worker = new Worker(entry, { workerData: data, eval: typeof entry === "string" });
    const thread = new StoreThread(worker, flushAt);
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message: FromThread) => {
        if ("replies" in message) thread.#settle(message.replies);
        else if ("statement" in message) void thread.#callers.run(message.statement);
        else if ("event" in message) thread.#emit(message, events);
        else if ("opened" in message) resolve();
        else if ("failed" in message) reject(fromErrorData(message.failed));
        else if ("closed" in message) thread.#end(closedError());
      });
      worker.on("error", (error) => {
        reject(error);
        thread.#end(error instanceof Error ? error : new Error(String(error)));
        events?.fatal(new AppError("store-failed", "The store thread died.", { cause: error }));
      });
      worker.once("exit", () => thread.#end(closedError()));
    });
    return thread;
  }

  call(verb: Verb, args: unknown[]): Promise<unknown> {
    if (this.#closedBy) return Promise.reject(this.#closedBy);
    if (VERBS[verb].mode === "within") return this.#callWithin(verb, args as [CallerTransaction, ...unknown[]]);
    return this.#send(verb, args);
  }

  /** The transaction stays in this thread; the store thread knows it by the number of the call. */
  async #callWithin(verb: Verb, [tx, ...args]: [CallerTransaction, ...unknown[]]): Promise<unknown> {
    const number = this.#next;
    this.#callers.begin(number, tx);
    try {
      return await this.#send(verb, [null, ...args]);
    } catch (error) {
      throw this.#callers.end(number) ?? error;
    } finally {
      this.#callers.end(number);
    }
  }

  #send(verb: Verb, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const number = this.#next++;
      this.#waiting.set(number, { resolve: resolve as never, reject });
      packCall(this.#queue, number, verb, args);
      if (this.#queue.length >= this.#flushAt * 3) this.#flush();
      else if (!MANY_IN_A_TURN.has(verb) || !this.#sentInThisTurn) this.#flushNow();
      else this.#flushAtEndOfTurn();
    });
  }

  #flushNow(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  /**
   * Requests over HTTP come one by one, each with its own microtasks, but many in one turn of the loop. The first call is sent at
   * once. Those behind it are sent together, because waking the thread costs more than the insert.
   */
  #flushAtEndOfTurn(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    setImmediate(() => {
      this.#gathering = false;
      this.#flush();
    });
  }

  /** Asks the thread to close. Terminating it in the middle of a commit would leave the file to recovery. */
  async close(): Promise<void> {
    if (!this.#closedBy) {
      this.#flush();
      this.#worker.postMessage("close" satisfies ToThread);
    }
    await this.#closed;
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#closedBy) return;
    this.#worker.postMessage({ calls: this.#queue } satisfies ToThread);
    this.#queue = [];
    if (this.#sentInThisTurn) return;
    this.#sentInThisTurn = true;
    setImmediate(() => {
      this.#sentInThisTurn = false;
    });
  }

  #settle(replies: PackedReplies): void {
    for (let i = 0; i < replies.length; i += 2) {
      const number = replies[i] as number;
      const reply = unpackReply(replies[i + 1]);
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if ("ok" in reply) waiting?.resolve(reply.ok as never);
      else waiting?.reject(fromErrorData(reply.error));
    }
  }

  #emit(message: Extract<FromThread, { event: unknown }>, events: StoreEvents | undefined): void {
    const data = message.event === "fatal" ? fromErrorData(message.data as never) : message.data;
    (events?.[message.event] as ((data: unknown) => void) | undefined)?.(data);
  }

  #end(error: Error): void {
    this.#closedBy ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#closedBy);
    this.#waiting.clear();
  }
}

export function closedError(): AppError {
  return new AppError("store-closed", "The store is closed.");
}
