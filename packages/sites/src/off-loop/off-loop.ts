// Runs pure functions on a thread, one call at a time, so that untrusted input never holds up the main loop. A call that
// takes too long ends with its thread; the next call starts another one.

import { Worker } from "node:worker_threads";
import { AppError, type ErrorData, fromErrorData } from "millrace/processor";

// biome-ignore lint/suspicious/noExplicitAny: any function fits; `call` checks the arguments of each.
export type Verbs = Readonly<Record<string, (...args: any[]) => unknown>>;

export interface OffLoopOptions {
  /** A call that takes longer fails with `OFF_LOOP_TIMEOUT`. Time in the queue does not count. */
  readonly limitMs: number;
  /** Heap of the thread. Only Node enforces it. */
  readonly memoryMb: number;
}

export type OffLoopReply = { ok: unknown } | { error: ErrorData };

export const OFF_LOOP_TIMEOUT = "off-loop-timeout";

/** A thread without work ends after this time and gives its memory back. */
const IDLE_MS = 30_000;

interface Call {
  readonly verb: string;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class OffLoop<V extends Verbs> {
  readonly #file: () => URL;
  readonly #options: OffLoopOptions;
  readonly #queue: Call[] = [];
  #worker: Worker | undefined;
  #running: Call | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** `file` calls `serveOffLoop` with the functions. It is looked for when the first thread starts. */
  constructor(file: () => URL, options: OffLoopOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** An aborted call rejects at once with the signal's reason; if it is running, its thread ends. */
  async call<K extends keyof V & string>(
    verb: K,
    args: Parameters<V[K]>,
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<V[K]>>> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Call = { verb, args, resolve, reject };
    const abort = () => this.#abandon(call, signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#queue.push(call);
    this.#next();
    try {
      return (await promise) as Awaited<ReturnType<V[K]>>;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  #next(): void {
    if (this.#running) return;
    const call = this.#queue.shift();
    if (!call) return this.#rest();
    clearTimeout(this.#idle);
    this.#running = call;
    this.#worker ??= this.#start();
    this.#worker.ref();
    const { limitMs } = this.#options;
    const tooLong = () => this.#abandon(call, new AppError(OFF_LOOP_TIMEOUT, `It took longer than ${limitMs} ms.`));
    this.#deadline = setTimeout(tooLong, limitMs);
    try {
      this.#worker.postMessage({ verb: call.verb, args: call.args });
    } catch (error) {
      this.#end(call);
      call.reject(error);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#file(), { resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb } });
    worker.on("message", (message: OffLoopReply) => {
      const call = this.#running;
      if (worker !== this.#worker || !call) return;
      this.#end(call);
      if ("ok" in message) call.resolve(message.ok);
      else call.reject(fromErrorData(message.error));
    });
    worker.on("error", (error) => this.#died(worker, error));
    worker.on("exit", () => this.#died(worker, new Error("The thread ended.")));
    return worker;
  }

  #died(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    const call = this.#running;
    if (!call) return;
    this.#end(call);
    call.reject(error);
  }

  #abandon(call: Call, reason: unknown): void {
    const place = this.#queue.indexOf(call);
    if (place >= 0) this.#queue.splice(place, 1);
    if (this.#running === call) {
      this.#endThread();
      this.#end(call);
    }
    call.reject(reason);
  }

  #end(call: Call): void {
    if (this.#running !== call) return;
    clearTimeout(this.#deadline);
    this.#running = undefined;
    this.#next();
  }

  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#endThread(), IDLE_MS);
    this.#idle.unref();
  }

  #endThread(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}
