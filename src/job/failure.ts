import { AppError } from "../lib/app-error.ts";

/** The stored account of what went wrong. */
export interface Failure {
  code: string;
  message: string;
  /** No retry will help. */
  permanent: boolean;
  /** The fault lies in the input itself (a diagram with an error, say): kept no longer than a result. */
  input?: boolean;
  line?: number;
  column?: number;
  stack?: string;
}

export interface FailureOptions {
  code?: string;
  permanent?: boolean;
  input?: boolean;
  retryAfterMs?: number;
  line?: number;
  column?: number;
  cause?: unknown;
}

/** Thrown by a processor that has more to say than a message: permanent, or when to try again. */
export class JobFailure extends Error {
  readonly options: FailureOptions;

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "JobFailure";
    this.options = options;
  }
}

const MAX_MESSAGE = 4_000;
const MAX_STACK = 8_000;

/** Whatever a processor threw, as data. */
export function failureOf(thrown: unknown): { failure: Failure; retryAfterMs?: number } {
  const options = thrown instanceof JobFailure ? thrown.options : {};
  const error = thrown instanceof Error ? thrown : new Error(describe(thrown));
  const code = options.code ?? (thrown instanceof AppError ? thrown.code : "processor-failed");
  const failure: Failure = {
    code,
    message: clip(error.message || error.name, MAX_MESSAGE),
    permanent: options.permanent ?? options.input ?? false,
    ...(options.input && { input: true }),
    ...(options.line !== undefined && { line: options.line }),
    ...(options.column !== undefined && { column: options.column }),
    ...(error.stack && { stack: clip(error.stack, MAX_STACK) }),
  };
  const { retryAfterMs } = options;
  // What another side sent as its Retry-After may be no number at all: then the usual pause.
  return Number.isFinite(retryAfterMs) ? { failure, retryAfterMs: retryAfterMs as number } : { failure };
}

function describe(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return String(thrown);
  }
}

// A lone surrogate or U+0000 in a message must not make the failure itself unstorable.
function clip(text: string, max: number): string {
  const clean = text.replaceAll("\u0000", "\uFFFD").toWellFormed();
  return clean.length > max ? `${clean.slice(0, max).toWellFormed()}…` : clean;
}
