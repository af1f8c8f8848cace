// What a processor says to start other jobs, and what it gets.

import { type Failure, JobFailure } from "./failure.ts";
import type { SubmitOptions } from "./options/submit-options.ts";

/** How a wait for other jobs ends. The last two are those of a flow. */
export type JoinMode = IfChildFails | "completed" | "ended";

/**
 * What a failed child does to its parent. "fail": `ChildFailed` is thrown at the first failure and the other children
 * are cancelled. "collect": the parent gets the ends of all children. "wait": it waits until the child is revived and
 * completes, or is deleted.
 */
export type IfChildFails = "fail" | "collect" | "wait";

/** Options of `ctx.submit()`: those of a submission. The tenant is the parent's. */
export interface ChildSubmitOptions extends Omit<SubmitOptions, "tenant" | "idempotencyKey"> {}

/** Options of `ctx.runChild()`. */
export interface ChildOptions extends ChildSubmitOptions {
  /** "fail": throw `ChildFailed`. "wait": wait until it is revived and completes, or is deleted. Default: "fail". */
  ifChildFails?: "fail" | "wait";
}

/** Options of `ctx.runChildren()`. */
export interface ChildrenOptions<Payload = unknown> extends ChildSubmitOptions {
  /** A key that no other payload of the call has. Default: the payload itself, if it is a string. */
  key?: (payload: Payload, index: number) => string;
  /** What a failed child does. Default: "fail". */
  ifChildFails?: IfChildFails;
  /** False: give ids and counts instead of results. For children whose results are large. Default: true. */
  results?: boolean;
}

/** How a child ended, with `ifChildFails: "collect"`. */
export type ChildEnd<Result> =
  | {
      /** It completed. */
      ok: true;
      /** Its result. */
      result: Result;
    }
  | {
      /** It failed, was cancelled or was deleted. */
      ok: false;
      /** Its id. */
      jobId: string;
      /** Why. The code is `cancelled` or `forgotten` for a child that was cancelled or deleted. */
      failure: Failure;
    };

/** What `ctx.runChildren()` gives with `results: false`. */
export interface ChildCounts {
  /** The ids of the children, in the order of their payloads. */
  jobIds: string[];
  /** How many completed. */
  completed: number;
  /** How many failed, were cancelled or were deleted. */
  failed: number;
}

/** What `ctx.runChildren()` gives. */
export type ChildResults<Result, Options> = Options extends { results: false }
  ? ChildCounts
  : Options extends { ifChildFails: "collect" }
    ? ChildEnd<Result>[]
    : Result[];

/** `key` is required unless the payloads are strings. */
export type ChildrenKey<Payload> = [Payload] extends [string]
  ? unknown
  : Required<Pick<ChildrenOptions<Payload>, "key">>;

/** The options are required unless the payloads are strings, because `key` is. */
export type ChildrenArguments<Payload, Options> = [Payload] extends [string]
  ? [options?: Options]
  : [options: Options & Required<Pick<ChildrenOptions<Payload>, "key">>];

/**
 * A child that a parent waited for failed. Thrown by `ctx.runChild()` and `ctx.runChildren()`. If the processor does not
 * catch it, the parent fails permanently with the code `child-failed`.
 */
export class ChildFailed extends JobFailure {
  /** The id of the child. */
  readonly jobId: string;
  /** Why it failed. */
  readonly failure: Failure;

  constructor(jobId: string, failure: Failure) {
    super(`The child ${jobId} failed: ${failure.message}`, { code: "child-failed", permanent: true });
    this.name = "ChildFailed";
    this.jobId = jobId;
    this.failure = failure;
  }
}
