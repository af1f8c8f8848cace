// Child processes without a store: a module is called as the module of an isolated stage, in the same confined process, and
// its result is given back instead of kept.
//
//   queued -> its child starts -> prepared -> running -> answered, or rejected: failed, timed out, crashed, aborted
//
// Processes are reused, end when they have been idle, and do not keep the program alive; a call that waits does.

import { JobFailure, toJobFailure } from "../../job/failure.ts";
import { AppError, messageOf } from "../../lib/app-error.ts";
import { LONGEST_TIMER_MS } from "../../lib/clock.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import {
  abortSignal,
  FOREVER,
  group,
  isObject,
  ms,
  type Option,
  type OptionValues,
  onOff,
  other,
  whole,
} from "../../lib/options/option.ts";
import type { NewArtifact } from "../../store/verbs/attempts.ts";

import { storableText } from "../context/storable.ts";
import type { AttemptEnd } from "../outcome.ts";
import { Child, START_MS } from "./child.ts";
import { type CollectedArtifacts, collectArtifacts, looseJob } from "./loose-call.ts";
import { leaseName } from "./protocol.ts";
import { childMain } from "./spawn.ts";

const POOL_OPTIONS = {
  /** The most child processes at the same time. Default: 1. */
  processes: whole(1, 1_000),
  /**
   * No network, no writing and no other programs, as far as the machine allows; see `confinement()`. Default: false.
   */
  confined: onOff(),
  /** A process that uses more than this is ended, in MiB. Default: no limit. */
  memoryMb: whole(1, 1_048_576),
  /** More variables for the environment of the processes. Default: none. */
  env: other<Readonly<Record<string, string>>>("an object of strings", isObject),
  /** When a process is replaced by a new one. Default: never. */
  recycle: group({
    /** After this number of calls. Default: never. */
    afterJobs: whole(1, FOREVER),
    /** When it is idle and uses more memory than this, in MiB. Default: never. */
    aboveMb: whole(1, FOREVER),
  }),
  /** A process without work ends after this time, in milliseconds. Default: 30,000. */
  idleMs: ms(0, LONGEST_TIMER_MS),
} as const;

/** Options of `new ProcessPool()`. */
export interface ProcessPoolOptions extends OptionValues<typeof POOL_OPTIONS> {
  /** The module to call. Its default export is a processor; `prepare` and `standBy` work as in an isolated stage. */
  readonly module: URL;
}

const CALL_OPTIONS = {
  /** How long the work may take, in milliseconds, without the wait for a process and its start. Default: 60,000. */
  timeoutMs: ms(1, LONGEST_TIMER_MS),
  /** Takes a waiting call out of the queue, or ends the process that works on it. Default: none. */
  signal: abortSignal() as Option<AbortSignal | undefined, undefined>,
} as const;

/** Options of one call to a pool of processes. */
export interface PoolCallOptions extends OptionValues<typeof CALL_OPTIONS> {}

const POOL: OptionBag = { what: "ProcessPool", options: { module: other("a URL", isUrl), ...POOL_OPTIONS } };
const CALL: OptionBag = { what: "run", options: CALL_OPTIONS };

/** What a call to a pool of processes returns. */
export interface PoolAnswer {
  /** What the module returned. */
  readonly result: unknown;
  /** What the module kept with `ctx.artifact()` and `ctx.share()`. */
  readonly artifacts: readonly NewArtifact[];
}

/** A call whose process died for no visible reason is tried once more. */
const MOST_CRASHES = 2;
const IDLE_MS = 30_000;
const TIMEOUT_MS = 60_000;
/** Longest preparation before the time of a call counts: a large engine is loaded in it. */
const PREPARE_MS = 60_000;
/** After a failed start the living processes go on alone for this long. */
const START_PAUSE_MS = 1_000;
const NAMES = { kind: "call", stage: "call" };

interface Call {
  readonly payload: string;
  readonly timeoutMs: number;
  readonly resolve: (answer: PoolAnswer) => void;
  readonly reject: (error: unknown) => void;
  crashes: number;
  child?: Child;
}

/**
 * Child processes that call a module, as an isolated stage does, without a store or jobs. Processes are reused, end
 * after a time without work, and do not keep the program alive.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #queue: Call[] = [];
  readonly #open = new Set<Call>();
  readonly #all = new Set<Child>();
  /** Idle children. The one that was used last is taken first, so that the others can end. */
  readonly #idle: Child[] = [];
  #starting = 0;
  #startAgainAt = 0;
  #calls = 0;
  #keepAlive: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ProcessPoolOptions) {
    checkOptions(POOL, options);
    childMain();
    this.#options = options;
  }

  /** Rejects with a `JobFailure` for what the module threw, `timed-out`, `crashed` or `out-of-memory`. */
  async run(payload: unknown, options: PoolCallOptions = {}): Promise<PoolAnswer> {
    checkOptions(CALL, options);
    const { timeoutMs = TIMEOUT_MS, signal } = options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    const text = storableText(payload, "payload", Number.POSITIVE_INFINITY);
    const { promise, resolve, reject } = Promise.withResolvers<PoolAnswer>();
    const call: Call = { payload: text, timeoutMs, resolve, reject, crashes: 0 };
    const abort = () => this.#abandon(call, signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#open.add(call);
    this.#keepAlive ??= setInterval(() => {}, LONGEST_TIMER_MS);
    this.#queue.push(call);
    this.#next();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#open.delete(call);
      if (this.#open.size === 0) this.#rest();
    }
  }

  /** Ends all processes. Calls that are open reject with `pool-closed`. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of [...this.#open]) this.#abandon(call, closed());
    for (const child of this.#all) child.kill("lost");
    // The processes do not keep the program alive. This timer does, so that the caller gets its answer.
    const untilEnded = setInterval(() => {}, LONGEST_TIMER_MS);
    try {
      await Promise.all([...this.#all].map((child) => child.exited()));
    } finally {
      clearInterval(untilEnded);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #rest(): void {
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
  }

  #next(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      this.#work(this.#idle.pop() as Child, this.#queue.shift() as Call);
    }
    const { processes = 1 } = this.#options;
    const mayStart = this.#all.size === 0 || performance.now() >= this.#startAgainAt;
    while (mayStart && !this.#isClosed && this.#queue.length > this.#starting && this.#all.size < processes)
      this.#start();
  }

  #start(): void {
    const { module, confined, memoryMb, env } = this.#options;
    this.#starting++;
    let child: Child;
    try {
      child = new Child(module, { confined, memoryMb, env, isWaitedFor: false, startMs: START_MS }, () =>
        this.#ended(child),
      );
    } catch (error) {
      this.#starting--;
      return this.#startFailed(error);
    }
    this.#all.add(child);
    child.ready.then(
      () => {
        this.#starting--;
        this.#putBack(child);
      },
      (error) => {
        this.#starting--;
        this.#all.delete(child);
        this.#startFailed(error);
      },
    );
  }

  #work(child: Child, call: Call): void {
    const collected = collectArtifacts();
    const job = looseJob(++this.#calls, call.payload);
    call.child = child;
    const tooLong = () => child.kill({ type: "failed", failure: timedOut(call.timeoutMs) });
    let deadline = setTimeout(tooLong, PREPARE_MS);
    child.run(job, NAMES, {
      of: leaseName(job.lease),
      port: collected.port,
      begun: () => {
        clearTimeout(deadline);
        deadline = setTimeout(tooLong, call.timeoutMs);
      },
      end: (outcome) => {
        clearTimeout(deadline);
        delete call.child;
        this.#settle(call, outcome, collected);
        if (!child.dead) this.#putBack(child);
      },
    });
  }

  #settle(call: Call, outcome: AttemptEnd, { artifacts }: CollectedArtifacts): void {
    if (outcome === "lost" || !this.#open.has(call)) return;
    switch (outcome.type) {
      case "completed":
        return call.resolve({ result: JSON.parse(outcome.result), artifacts });
      case "crashed":
        if (outcome.failure.code === "crashed" && ++call.crashes < MOST_CRASHES) return this.#again(call);
        return call.reject(toJobFailure(outcome.failure.message, outcome.failure));
      case "released":
        return this.#again(call);
      case "failed":
        return call.reject(toJobFailure(outcome.failure.message, outcome.failure));
      default:
        return call.reject(
          new JobFailure("A ProcessPool has no store, so a call cannot be deferred, held or continued as new."),
        );
    }
  }

  #again(call: Call): void {
    this.#queue.unshift(call);
    this.#next();
  }

  #abandon(call: Call, reason: unknown): void {
    const index = this.#queue.indexOf(call);
    if (index >= 0) this.#queue.splice(index, 1);
    this.#open.delete(call);
    call.child?.kill("lost");
    call.reject(reason);
  }

  #putBack(child: Child): void {
    if (child.dead || this.#isClosed) return;
    const { recycle: { afterJobs = Infinity, aboveMb = Infinity } = {}, idleMs = IDLE_MS } = this.#options;
    if (child.jobs >= afterJobs || child.memoryMb() > aboveMb) return child.retire();
    const since = performance.now();
    child.idleSince = since;
    this.#idle.push(child);
    setTimeout(() => {
      if (child.idleSince === since && !child.busy) this.#retire(child);
    }, idleMs).unref();
    this.#next();
  }

  #retire(child: Child): void {
    const index = this.#idle.indexOf(child);
    if (index >= 0) this.#idle.splice(index, 1);
    child.retire();
  }

  #ended(child: Child): void {
    this.#all.delete(child);
    const index = this.#idle.indexOf(child);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#next();
  }

  /** If no process is left to do the work, waiting calls are rejected. Otherwise the other processes do it. */
  #startFailed(cause: unknown): void {
    this.#startAgainAt = performance.now() + START_PAUSE_MS;
    if (this.#all.size > 0 || this.#isClosed) return;
    const { pathname } = this.#options.module;
    const error = new AppError("processor-broken", `The module ${pathname} does not start: ${messageOf(cause)}`, {
      cause,
    });
    for (const call of this.#queue.splice(0)) call.reject(error);
  }
}

function timedOut(timeoutMs: number) {
  return { code: "timed-out", message: `Timed out after ${timeoutMs} ms.`, permanent: true };
}

function closed(): AppError {
  return new AppError("pool-closed", "The processes were closed.");
}

function isUrl(value: unknown): boolean {
  return value instanceof URL;
}
