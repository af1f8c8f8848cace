import { Worker } from "node:worker_threads";
import { AppError, fromErrorData } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { StoreEvents } from "../store.ts";
import { Caretaker } from "./caretaker.ts";
import { Core, type CoreOptions } from "./core.ts";
import { toAppError } from "./errors.ts";
import { runGroup } from "./group.ts";
import type { FromThread, ThreadData, ToThread } from "./thread.ts";
import type { Verb, Verbs } from "./verbs.ts";
import { type PackedCalls, type PackedReplies, packCall, unpackReply } from "./wire.ts";

type Args<V extends Verb> = Verbs[V] extends (core: never, ...args: infer A) => unknown ? A : never;
type Answer<V extends Verb> = ReturnType<Verbs[V]>;

/** Somebody who carries out calls on the core: a thread, or the same thread. */
export interface Callee {
  call<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>>;
  close(): Promise<void>;
}

/** Past this many the message goes at once, so that the thread works while the main loop still makes more. */
const FLUSH_CALLS = 128;

export class ThreadCallee implements Callee {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  readonly #closed: Promise<void>;
  #queue: PackedCalls = [];
  #scheduled = false;
  #gathering = false;
  #sentInThisTurn = false;
  #next = 0;
  #gone: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#closed = new Promise((resolve) => worker.once("exit", () => resolve()));
  }

  static async open(data: ThreadData, events?: StoreEvents): Promise<ThreadCallee> {
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const worker = new Worker(new URL(`./thread.${extension}`, import.meta.url), { workerData: data });
    const callee = new ThreadCallee(worker);
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message: FromThread) => {
        if ("replies" in message) callee.#settle(message.replies);
        else if ("event" in message) callee.#emit(message, events);
        else if ("opened" in message) resolve();
        else if ("failed" in message) reject(fromErrorData(message.failed));
        else if ("closed" in message) callee.#end(closedError());
      });
      worker.on("error", (error) => {
        reject(error);
        callee.#end(error instanceof Error ? error : new Error(String(error)));
        events?.fatal(new AppError("store-failed", "The store thread died.", { cause: error }));
      });
      worker.once("exit", () => callee.#end(closedError()));
    });
    return callee;
  }

  call<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>> {
    if (this.#gone) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      const number = this.#next++;
      this.#waiting.set(number, { resolve: resolve as never, reject });
      packCall(this.#queue, number, verb, args);
      if (this.#queue.length >= FLUSH_CALLS * 3) this.#flush();
      else if (verb !== "submit" || !this.#sentInThisTurn) this.#flushNow();
      else this.#flushAtTurnsEnd();
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
   * Requests over HTTP come one by one, each with a turn of microtasks of its own, but many in one turn of the loop. The first
   * sets the thread to work; those behind it go together, since waking the thread costs more than the insert.
   */
  #flushAtTurnsEnd(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    setImmediate(() => {
      this.#gathering = false;
      this.#flush();
    });
  }

  /** Asked, never terminated: a thread that ends in the middle of a commit leaves the file to recovery. */
  async close(): Promise<void> {
    if (!this.#gone) {
      this.#flush();
      this.#worker.postMessage("close" satisfies ToThread);
    }
    await this.#closed;
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#gone) return;
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
    this.#gone ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}

/** The same core without a thread: for ":memory:" and for tests that move the clock by hand. */
export class InlineCallee implements Callee {
  readonly #core: Core;
  readonly #caretaker: Caretaker | undefined;
  readonly #events: StoreEvents;

  constructor(options: CoreOptions, events: StoreEvents, time?: { clock: Clock; random?: () => number }) {
    try {
      this.#core = new Core(options, events, time?.clock, time?.random);
    } catch (error) {
      throw toAppError(error);
    }
    this.#events = events;
    if (!time) this.#caretaker = new Caretaker(this.#core, events);
  }

  async call<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>> {
    if (!this.#core.db.isOpen) throw closedError();
    // Cloned as on the way to the thread, so that nobody shares an object with the store by accident.
    const [reply] = runGroup(this.#core, [{ verb, args: structuredClone(args) as unknown[] }], this.#events.fatal);
    if (reply && "error" in reply) throw fromErrorData(reply.error);
    return structuredClone(reply?.ok) as Answer<V>;
  }

  async close(): Promise<void> {
    this.#caretaker?.stop();
    this.#core.close();
  }
}

function closedError(): AppError {
  return new AppError("store-closed", "The store is closed.");
}
