import { AppError } from "../lib/app-error.ts";
import { refuse, unknownHint, unknownNames } from "../lib/options/check.ts";
import { anyText, anything, FOREVER, ms, type OptionValues, onOff, whole } from "../lib/options/option.ts";
import { behind, clip, codeOf, describe, type ErrorAccount, nameOf, read, toError } from "./report/error-account.ts";

/** The stored failure of an attempt. */
export interface Failure {
  /** A stable word, such as `timed-out`, or the code of the `JobFailure` that was thrown. */
  code: string;
  /** One sentence for people. */
  message: string;
  /** True: a retry does not help, so the job fails at once. */
  permanent: boolean;
  /**
   * True: the input itself is wrong (a document with a syntax error, for example). Such a job is kept no longer than a result,
   * and is not a dead letter.
   */
  input?: boolean;
  /** The line of the error in the input, counted from 1. */
  line?: number;
  /** The column of the error in the input, counted from 1. */
  column?: number;
  /** The class of the error that the processor threw, unless it is a plain `Error` or a `JobFailure`. */
  name?: string;
  /** The error's own code, such as `ECONNREFUSED`. */
  errorCode?: string;
  /** The `cause` of the error, and its causes. */
  cause?: ErrorAccount;
  /** The errors inside an `AggregateError`. */
  errors?: ErrorAccount[];
  /** The stack of the error, followed by the stacks of its causes. */
  stack?: string;
}

const FAILURE_OPTIONS = {
  /** A stable word that programs and filters can use. Default: "processor-failed". */
  code: anyText(),
  /** True: do not retry. Default: the value of `input`. */
  permanent: onOff(),
  /**
   * True: the input is wrong. The job fails at once, is kept no longer than a result, and is not a dead letter.
   * Default: false.
   */
  input: onOff(),
  /** Retry after this time, in milliseconds, instead of the usual pause. Default: the usual pause. */
  retryAfterMs: ms(0, FOREVER),
  /** The line of the error in the input, counted from 1. Default: unknown. */
  line: whole(1, FOREVER),
  /** The column of the error in the input, counted from 1. Default: unknown. */
  column: whole(1, FOREVER),
  /** The error behind this one. It is stored with the failure. Default: none. */
  cause: anything(),
} as const;

/** Options of `new JobFailure()`. */
export interface FailureOptions extends OptionValues<typeof FAILURE_OPTIONS> {}

/**
 * Throw it in a processor to say more than a message: that a retry does not help, or when to retry. `job.wait()` throws
 * one for a failed job.
 *
 * @example
 * ```ts
 * import { defineKind, JobFailure } from "millrace";
 * import { z } from "zod";
 *
 * export const charge = defineKind({
 *   name: "charge",
 *   payload: z.object({ card: z.string() }),
 *   run: async (_ctx, { card }) => {
 *     if (card === "") throw new JobFailure("The card is missing.", { code: "card-missing", permanent: true });
 *     return { paid: true };
 *   },
 * });
 * ```
 */
export class JobFailure extends Error {
  /** The options that it was made with. */
  readonly options: FailureOptions;
  /** The code of the failure. */
  readonly code: string;

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "JobFailure";
    this.code = options.code ?? "processor-failed";
    this.options = options;
    const what = `JobFailure("${clip(String(message), 200)}")`;
    refuse("invalid-request", unknownNames(what, FAILURE_OPTIONS, options), unknownHint(FAILURE_OPTIONS, options));
  }
}

const MAX_MESSAGE = 4_000;
const MAX_STACK = 8_000;

/** Turns whatever a processor threw into data. */
export function failureOf(thrown: unknown): { failure: Failure; retryAfterMs?: number } {
  const options = thrown instanceof JobFailure ? thrown.options : {};
  const error = thrown instanceof Error ? thrown : new Error(describe(thrown));
  const stack = stackOf(error);
  const failure: Failure = {
    code: options.code ?? (thrown instanceof AppError ? thrown.code : "processor-failed"),
    message: clip(String(error.message || error.name), MAX_MESSAGE),
    permanent: options.permanent ?? options.input ?? false,
    ...(options.input && { input: true }),
    ...(options.line !== undefined && { line: options.line }),
    ...(options.column !== undefined && { column: options.column }),
    ...ownWords(thrown),
    ...behind(thrown),
    ...(stack && { stack: clip(stack, MAX_STACK) }),
  };
  const { retryAfterMs } = options;
  // The Retry-After of another side may be no number at all: then the usual pause follows.
  return Number.isFinite(retryAfterMs) ? { failure, retryAfterMs: retryAfterMs as number } : { failure };
}

/** The error's own name and code, where they are not ours. */
function ownWords(thrown: unknown): Pick<Failure, "name" | "errorCode"> {
  if (thrown instanceof AppError || thrown instanceof JobFailure) return {};
  const name = nameOf(thrown);
  const errorCode = codeOf(thrown);
  return {
    ...(name !== undefined && name !== "Error" && { name }),
    ...(errorCode !== undefined && { errorCode }),
  };
}

/** The stack with those of its causes, so that a caller without the right to stacks sees none of them. */
function stackOf(error: Error): string {
  const stacks: string[] = [];
  for (let each: unknown = error; each instanceof Error && stacks.length < 4; each = read(each, "cause"))
    stacks.push(String(read(each, "stack") ?? nameOf(each)));
  return stacks.join("\nCaused by: ").slice(0, MAX_STACK * 2);
}

/** A stored failure as an error again, with its causes. */
export function toJobFailure(message: string, failure: Omit<Failure, "stack" | "input"> | undefined): JobFailure {
  if (!failure) return new JobFailure(message);
  const { code, permanent, line, column, cause, errors } = failure;
  const inner = cause ? toError(cause) : errors && toError({ name: "AggregateError", message, errors });
  return new JobFailure(message, {
    code,
    permanent,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(inner && { cause: inner }),
  });
}
