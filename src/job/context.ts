import type { Jsonified } from "../lib/jsonified.ts";

/** What a processor is given beside its input. */
export interface Context<Payload = unknown> {
  readonly jobId: string;
  readonly kind: string;
  readonly stage: string;
  readonly tenant: string;
  /** The payload as submitted, whatever the stage. */
  readonly payload: Payload;
  /** Counted per stage from 1. */
  readonly attempt: number;
  readonly tags: readonly string[];
  readonly traceId: string | undefined;
  /** W3C `traceparent` to send along with requests of its own, where the job is part of a trace. */
  readonly traceParent: string | undefined;
  /** Names this attempt: another has another, also after a power cut. To make a retry the same request to the outside, use the job's id instead. */
  readonly leaseKey: string;
  /** Aborted when the job is cancelled, timed out, lost or handed back; `signal.reason` is a `LeaseLost` that says which. */
  readonly signal: AbortSignal;
  readonly log: JobLog;

  /**
   * Runs `fn` once and stores its JSON result; after a crash or retry the stored value is returned and `fn` is not called.
   * The value is what JSON makes of it, the same the first time. A value that JSON would change fails the job for good.
   */
  step<T>(name: string, fn: () => T | Promise<T>): Promise<Jsonified<T>>;
  /** What a step of this stage has stored, without running it: to count what was paid for before going on, say. */
  stored<T>(name: string): Promise<T | undefined>;
  /** 0 to 1, with words for people. Written at most once a second. */
  progress(value: number, message?: string): void;
  /** Takes from a limiter all processes share; without room the job is deferred and its processor free. */
  limit(name: string, cost?: number): Promise<void>;
  /** Tells all processes that a limiter has no room until then (a `Retry-After` of the other side, say). */
  blockLimit(name: string, options: { forMs: number }): Promise<void>;
  /** Puts the job back until later, 50 ms at least; no attempt is burned. */
  defer(when: { delayMs: number } | { runAt: Date }, reason?: string): never;
  /**
   * Puts the job aside until `millrace.release(jobId)`. The reason is shown to people. With `timeoutMs`, a job that is not
   * released in time fails with the code `hold-expired`.
   */
  hold(reason: string, options?: { timeoutMs?: number }): never;
  /** What was said when the job was released from a hold in this stage, oldest first. */
  answers<T = unknown>(): Promise<T[]>;
  /** Keeps bytes beside the job. */
  artifact(name: string, bytes: Uint8Array, contentType?: string): Promise<void>;
  /**
   * Gives the job a unique key until it ends, unless another live job of its kind and tenant has the key. For kinds with
   * `ifUnique: "follow"`: a job that does not get the key defers itself, and finds the work done or the key free later.
   */
  unique(key: string): Promise<UniqueKey>;
  /**
   * Keeps bytes beyond the job, under a key that says all they were made from: whoever shares under the same key later finds
   * the first ones. Gives the tenant's link to them, which lasts as long as the job at least. Unless `named` is false: then
   * nothing names them, and they may go at any time.
   */
  share(artifact: Shareable, options?: { named?: boolean }): Promise<string | undefined>;
  /** What was shared under the key, here or elsewhere, and is still kept. */
  shared(key: string): Promise<Shareable | undefined>;
}

/** "held": the job had the key before. "taken": it has it from now on. An object: the job that has it, and the age of this one. */
export type UniqueKey = "held" | "taken" | { jobId: string; waitedMs: number };

/** Bytes with a key, and what their maker wants to know of them later: any JSON. */
export interface Shareable {
  key: string;
  contentType: string;
  bytes: Uint8Array;
  info?: unknown;
}

export interface JobLog {
  debug(message: string, data?: Record<string, unknown>): void;
  info(message: string, data?: Record<string, unknown>): void;
  warn(message: string, data?: Record<string, unknown>): void;
  error(message: string, data?: Record<string, unknown>): void;
}

export type Processor<Payload, Input, Output> = (ctx: Context<Payload>, input: Input) => Output | Promise<Output>;
