import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Jsonified } from "../lib/json/jsonified.ts";
import type {
  ChildEnd,
  ChildOptions,
  ChildResults,
  ChildrenArguments,
  ChildrenKey,
  ChildrenOptions,
  ChildSubmitOptions,
} from "./children.ts";
import type { Kind } from "./kind/kind.ts";
import type { EndedBatch } from "./report/batch-view.ts";
import type { JobStream } from "./stream.ts";
import type { DatabaseSource, TransactionOf } from "./transaction-source.ts";
import type {
  Approval,
  ApprovalOptions,
  EventWaitOptions,
  RaceResult,
  SignalWaitOptions,
  SleepTime,
} from "./waiting.ts";

/**
 * The first argument of a processor: what the job is, and what the processor can do with it. `Signals` has the values of
 * the signals that the kind declares, `Undos` what the undo handlers of the stage take, both by name.
 */
export interface Context<Payload = unknown, Signals = Record<never, never>, Undos = Record<never, never>> {
  /** The id of the job, such as `job_4fQ81xZa`. */
  readonly jobId: string;
  /** The name of the kind. */
  readonly kind: string;
  /** The name of the stage that runs. */
  readonly stage: string;
  /** The tenant that the job belongs to. */
  readonly tenant: string;
  /** The payload as it was submitted and parsed by the kind's schema, in every stage. */
  readonly payload: Payload;
  /** The number of this attempt at this stage, counted from 1. */
  readonly attempt: number;
  /** The tags that the job was submitted with. */
  readonly tags: readonly string[];
  /** The trace id that the job was submitted with. It is part of every log line about the job. */
  readonly traceId: string | undefined;
  /** The W3C `traceparent` to send with your own requests, if the job belongs to a trace. */
  readonly traceParent: string | undefined;
  /**
   * A string that no other attempt has, even after a power cut. To make the retries of a job look like one request to
   * another service, send the job's id instead.
   */
  readonly leaseKey: string;
  /**
   * Aborted when the job is cancelled, times out, or is handed back or lost. `signal.reason` is a `LeaseLost` that says
   * which.
   */
  readonly signal: AbortSignal;
  /** How the batch ended whose `onEnd` this job is. Undefined for any other job. */
  readonly batch: EndedBatch | undefined;
  /** A log for this job. Its lines are stored with the job and shown in the dashboard. */
  readonly log: JobLog;

  /**
   * Runs `fn` once and stores its JSON result. After a crash or a retry the stored value is returned and `fn` is not
   * called. The value is what JSON makes of it, also the first time; a value that JSON would change fails the job
   * permanently. `fn` receives a `key` for other services that is the same in every attempt.
   */
  step<T>(name: string, fn: (step: StepRun) => T | Promise<T>, options?: StepOptions): Promise<Jsonified<T>>;
  /** The same, with the handler of the stage that undoes the step if the job fails or is cancelled. */
  step<Undo extends keyof Undos & string, T extends Undos[Undo]>(
    name: string,
    fn: (step: StepRun) => T | Promise<T>,
    options: StepOptions & {
      /** The name of a handler in `undo` of the stage. It is stored with the value. */
      undo: Undo;
    },
  ): Promise<Jsonified<T>>;
  /**
   * Runs `fn` in a transaction of your own, once, and stores its JSON result in the same commit: your writes and the step
   * both exist, or neither does. `db` is a pool or database on which transactions begin. If the value is stored, it is
   * returned and `fn` is not called. Other calls on `ctx` inside `fn` are refused.
   */
  transaction<Source extends DatabaseSource, T>(
    name: string,
    db: Source,
    fn: (tx: TransactionOf<Source>, step: StepRun) => T | Promise<T>,
    options?: TransactionOptions,
  ): Promise<Jsonified<T>>;
  /** The same, with the handler of the stage that undoes the step if the job fails or is cancelled. */
  transaction<Undo extends keyof Undos & string, Source extends DatabaseSource, T extends Undos[Undo]>(
    name: string,
    db: Source,
    fn: (tx: TransactionOf<Source>, step: StepRun) => T | Promise<T>,
    options: TransactionOptions & {
      /** The name of a handler in `undo` of the stage. It is stored with the value. */
      undo: Undo;
    },
  ): Promise<Jsonified<T>>;
  /** The value that a step of this stage has stored, without running the step. Undefined if it has not run yet. */
  stored<T>(name: string): Promise<T | undefined>;
  /**
   * Waits without holding a processor, a lease or a slot. The job goes on when the time is over, even after a restart.
   * After each wait the stage's function runs again from its top; stored steps and waits give their values at once.
   */
  sleep(name: string, time: SleepTime): Promise<void>;
  /**
   * Waits for a signal to this job: `millrace.signal(kind, jobId, name, value)`. Gives its value, or `undefined` when
   * the time is up. A signal that came before the wait counts. A signal that the kind declares has its type.
   */
  waitForSignal<Name extends keyof Signals & string>(
    name: Name,
    options?: Pick<SignalWaitOptions, "timeout">,
  ): Promise<Signals[Name] | undefined>;
  /** The same for a signal that the kind does not declare. `schema` checks its value. */
  waitForSignal<Schema extends StandardSchemaV1 = StandardSchemaV1<unknown, unknown>>(
    name: string,
    options?: SignalWaitOptions<Schema>,
  ): Promise<StandardSchemaV1.InferOutput<Schema> | undefined>;
  /**
   * Waits for an event: `millrace.publish(topic, fields)`. Gives its fields, or `undefined` when the time is up. An
   * event that was published since the job was submitted counts, while it is kept.
   */
  waitForEvent(topic: string, options?: EventWaitOptions): Promise<Record<string, unknown> | undefined>;
  /** Waits until a person decides. Gives the decision, or `undefined` when the time is up. */
  waitForApproval<Choice extends string>(
    name: string,
    options: ApprovalOptions<Choice>,
  ): Promise<Approval<Choice> | undefined>;
  /**
   * The first of several waits that is answered, by name. The winner is stored and the other waits are closed. Pass the
   * waits without `await`.
   */
  race<Members extends Record<string, Promise<unknown>>>(name: string, members: Members): Promise<RaceResult<Members>>;
  /**
   * A stream of chunks that others read while the job runs: `GET /jobs/:id/streams/:name`, `client.stream()`. It ends
   * with the job. What a failed attempt wrote is taken back, apart from chunks that stored steps wrote.
   */
  stream(name: string): JobStream;
  /**
   * Runs a job of another kind as a child and gives its result. The parent holds no processor meanwhile. The child is
   * cancelled if the parent fails, is cancelled, or the child loses a race. Throws `ChildFailed` if the child fails.
   */
  runChild<Input, Result>(
    name: string,
    kind: Kind<Input, Result>,
    payload: NoInfer<Input>,
    options?: ChildOptions,
  ): Promise<Result>;
  /** The same, with the handler of the stage that undoes the child, once it has completed, if this job fails or is cancelled. */
  runChild<Undo extends keyof Undos & string, Input, Result extends Undos[Undo]>(
    name: string,
    kind: Kind<Input, Result>,
    payload: NoInfer<Input>,
    options: ChildOptions & {
      /** The name of a handler in `undo` of the stage. It gets the child's result. */
      undo: Undo;
    },
  ): Promise<Result>;
  /**
   * Runs a child for each payload and gives their results in the same order. The list is stored with the children: a
   * stage that runs again submits none of them twice. `key` is required unless the payloads are strings.
   */
  runChildren<
    Input,
    Result,
    const Options extends ChildrenOptions<Input> & { undo?: never } = ChildrenOptions<Input> & { undo?: never },
  >(
    name: string,
    kind: Kind<Input, Result>,
    payloads: readonly NoInfer<Input>[],
    ...options: ChildrenArguments<Input, Options>
  ): Promise<ChildResults<Result, Options>>;
  /** The same, with the handler of the stage that undoes each child that has completed. */
  runChildren<
    Undo extends keyof Undos & string,
    Input,
    Result extends Undos[Undo],
    const Options extends ChildrenOptions<Input> = ChildrenOptions<Input>,
  >(
    name: string,
    kind: Kind<Input, Result>,
    payloads: readonly NoInfer<Input>[],
    options: Options &
      ChildrenKey<Input> & {
        /** The name of a handler in `undo` of the stage. It runs for each child that completed, with its result. */
        undo: Undo;
      },
  ): Promise<ChildResults<Result, Options>>;
  /** Submits a job, once, and gives its id. The job does not end with this one. */
  submit<Input>(
    name: string,
    kind: Kind<Input>,
    payload: NoInfer<Input>,
    options?: ChildSubmitOptions,
  ): Promise<string>;
  /** How the jobs that this one depends on ended, by their names in the flow. Empty for a job outside of a flow. */
  dependencies<Results extends Record<string, unknown> = Record<string, unknown>>(): Promise<{
    [Name in keyof Results]: ChildEnd<Results[Name]>;
  }>;
  /** Reports progress from 0 to 1, with words for people. It is written at most once a second. */
  progress(value: number, message?: string): void;
  /**
   * Takes `cost` (default 1) from a limiter that all processes share. If there is no room, the job is deferred until
   * there is, and its processor is free for other jobs. It leaves the processor by throwing.
   */
  limit(name: string, cost?: number): Promise<void>;
  /**
   * Tells all processes that a limiter has no room for `forMs` milliseconds, for example because another service
   * answered with `Retry-After`.
   */
  blockLimit(name: string, options: { forMs: number }): Promise<void>;
  /**
   * Puts the job back to wait for at least 50 ms. This does not use up an attempt. It leaves the processor by throwing.
   */
  defer(when: { delayMs: number } | { runAt: Date }, reason?: string): never;
  /**
   * Puts the job aside until `millrace.release(jobId)` is called. The reason is shown to people. With `timeoutMs`, a
   * job that is not released in time fails with `hold-expired`. It leaves the processor by throwing.
   */
  hold(reason: string, options?: { timeoutMs?: number }): never;
  /**
   * Ends this job as completed and submits its successor with this payload, in one commit. The successor has the same
   * options, unique key, tags and unread signals, and starts at the first stage with nothing stored. Waiting for this
   * job waits for its successor. It leaves the processor by throwing.
   */
  continueAsNew(payload: Payload): never;
  /** The answers that were passed to `release()` for holds of this stage, oldest first. */
  answers<T = unknown>(): Promise<T[]>;
  /**
   * Stores bytes with the job under a name. They are deleted with the job. A second call with the same name replaces
   * the first.
   */
  artifact(name: string, bytes: Uint8Array, contentType?: string): Promise<void>;
  /**
   * Gives the job a unique key until it ends, unless another live job of its kind and tenant has the key. Meant for
   * kinds with `ifUnique: "follow"`: a job that does not get the key defers itself and later finds the work done or the
   * key free.
   */
  unique(key: string): Promise<UniqueKey>;
  /**
   * Stores bytes beyond the life of the job, under a key that says everything they were made from. If the key exists,
   * the first bytes stay. Returns the tenant's link to them, which lasts at least as long as the job. With `named:
   * false` the job does not protect them, and no link is returned.
   */
  share(artifact: Shareable, options?: { named?: boolean }): Promise<string | undefined>;
  /** The artifact that was shared under this key, by any job, if it is still kept. */
  shared(key: string): Promise<Shareable | undefined>;
}

/**
 * The answer of `ctx.unique()`. "held": the job already had the key. "taken": it has the key from now on. An object:
 * the job that has the key, and how long this one has waited since it was submitted, in milliseconds.
 */
export type UniqueKey = "held" | "taken" | { jobId: string; waitedMs: number };

/** Bytes to share, with the key they are found by. */
export interface Shareable {
  /** Says everything the bytes were made from: 1 to 255 characters. */
  key: string;
  /** The media type of the bytes, such as `image/svg+xml`. */
  contentType: string;
  /** The bytes themselves. */
  bytes: Uint8Array;
  /** Any JSON to store with the bytes. Default: none. */
  info?: unknown;
}

/** The log of one job. Lines are stored with the job; `data` is any JSON. */
export interface JobLog {
  /** Writes a line for developers. */
  debug(message: string, data?: Record<string, unknown>): void;
  /** Writes a line about normal progress. */
  info(message: string, data?: Record<string, unknown>): void;
  /** Writes a line about a problem that did not stop the job. */
  warn(message: string, data?: Record<string, unknown>): void;
  /** Writes a line about a failure. */
  error(message: string, data?: Record<string, unknown>): void;
}

/** What `ctx.step()` hands to its function. */
export interface StepRun {
  /**
   * A key for other services, such as an idempotency key of a payment. It is the same in every attempt of the step, also
   * in a job that was revived from the failed stage. A job that was revived from the start has new keys.
   */
  readonly key: string;
}

/** Options of `ctx.step()`. */
export interface StepOptions {
  /** Earlier names of the step. A value that is stored under one of them is used. Default: none. */
  renamedFrom?: string | readonly string[];
  /**
   * A transaction that you have begun, in which the step is stored. You commit it. Make the step its last call, because it
   * locks the job until the commit. Default: a transaction of the store's own.
   */
  tx?: unknown;
}

/** Options of `ctx.transaction()`. */
export interface TransactionOptions {
  /** Earlier names of the step. A value that is stored under one of them is used. Default: none. */
  renamedFrom?: string | readonly string[];
  /**
   * The commit also ends the attempt, as a return of the value would. What the processor then returns or throws is
   * ignored and logged. Default: false.
   */
  complete?: boolean;
}

/**
 * The function that does the work of a stage. Its input is the payload in the first stage, and what the previous stage
 * returned in later ones. Its JSON result goes to the next stage, or is the job's result.
 */
export type Processor<Payload, Input, Output, Signals = Record<never, never>, Undos = Record<never, never>> = (
  ctx: Context<Payload, Signals, Undos>,
  input: Input,
) => Output | Promise<Output>;

/**
 * Undoes what a step has done. It receives the stored value of the step, and a `key` for other services that is the same in
 * every attempt. It runs as a step itself, so `ctx` can do everything but wait.
 */
export type UndoHandler<Payload = never, Value = never> = (
  ctx: Context<Payload>,
  value: Value,
  step: StepRun,
) => unknown;
