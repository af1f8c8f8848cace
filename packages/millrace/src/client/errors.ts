import type { ErrorBody } from "../api/errors.ts";
import type { Job } from "./wire.ts";

/** Codes of errors that come from the client itself, because no server answered or its answer is unusable. */
export type ClientCode =
  | "invalid-options"
  | "unreachable"
  | "request-timeout"
  | "bad-answer"
  | "wait-timeout"
  | "job-failed"
  | "job-cancelled";

/** One thing that is wrong with a request. */
export interface RequestIssue {
  /** Where it is, such as `payload.url`. */
  readonly path: string;
  /** The problem. */
  readonly message: string;
}

/** What a `MillraceError` knows beside its code and message. */
export interface MillraceErrorDetails {
  /** The HTTP status of the answer. Default: 0, for no answer. */
  readonly status?: number | undefined;
  /** The next step. Default: none. */
  readonly hint?: string | undefined;
  /** The problems of the request, each with its path. Default: none. */
  readonly issues?: readonly RequestIssue[] | undefined;
  /** The job that the error is about. Default: none. */
  readonly jobId?: string | undefined;
  /** The trace id of the request, to find it in the server's log. Default: none. */
  readonly traceId?: string | undefined;
  /** The limit that was reached: rate, concurrency, queue or misses. Default: none. */
  readonly limit?: string | undefined;
  /** How long the server asks to wait, in milliseconds. Default: none. */
  readonly retryAfterMs?: number | undefined;
  /** The line of the error in the input, counted from 1. Default: none. */
  readonly line?: number | undefined;
  /** The column of the error in the input, counted from 1. Default: none. */
  readonly column?: number | undefined;
  /** The line of the error with a caret below it. Default: none. */
  readonly excerpt?: string | undefined;
  /** The likely cause of an error in the input, or what to write instead. Default: none. */
  readonly advice?: string | undefined;
  /** The job that failed or was cancelled. Default: none. */
  readonly job?: Job | undefined;
  /** The error behind this one. Default: none. */
  readonly cause?: unknown;
}

/** What every call of the client throws. `code` is one of the server's codes or a `ClientCode`. */
export class MillraceError extends Error {
  /** The HTTP status of the answer; 0 if there was none. */
  readonly status: number;
  /** A stable word for programs. The troubleshooting guide lists all of them. */
  readonly code: string;
  /** The next step, if there is one. */
  readonly hint: string | undefined;
  /** The problems of the request, each with its path. */
  readonly issues: readonly RequestIssue[];
  /** The job in the way, or the one that the error is about. */
  readonly jobId: string | undefined;
  /** The trace id of the request, to find it in the server's log. */
  readonly traceId: string | undefined;
  /** The limit that was reached: rate, concurrency, queue or misses. */
  readonly limit: string | undefined;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The line of the error in the input, counted from 1. */
  readonly line: number | undefined;
  /** The column of the error in the input, counted from 1. */
  readonly column: number | undefined;
  /** The line of the error with a caret below it, for a monospaced font. */
  readonly excerpt: string | undefined;
  /** The likely cause of an error in the input, or what to write instead. */
  readonly advice: string | undefined;
  /** The job that failed or was cancelled, if `result()` waited for it. */
  readonly job: Job | undefined;

  constructor(code: string, message: string, details: MillraceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "MillraceError";
    this.code = code;
    this.status = details.status ?? 0;
    this.hint = details.hint;
    this.issues = details.issues ?? [];
    this.jobId = details.jobId;
    this.traceId = details.traceId;
    this.limit = details.limit;
    this.retryAfterMs = details.retryAfterMs;
    this.line = details.line;
    this.column = details.column;
    this.excerpt = details.excerpt;
    this.advice = details.advice;
    this.job = details.job;
  }
}

/** The error in an answer. An answer that is not ours, such as a proxy's page, is described by its status. */
export function errorOf(response: Response, body: unknown): MillraceError {
  const { status, headers } = response;
  const retryAfterMs = retryAfter(headers.get("retry-after"), Date.now());
  const traceId = headers.get("x-trace-id") ?? undefined;
  if (!isErrorBody(body)) {
    return new MillraceError("bad-answer", `The server answered with status ${status} and no explanation.`, {
      status,
      traceId,
      retryAfterMs,
      hint: "Check whether a proxy or another program answers at this address.",
    });
  }
  const { error, code, hint, issues, jobId, limit, line, column, excerpt, advice } = body;
  return new MillraceError(code, error, {
    status,
    hint,
    issues,
    jobId,
    traceId: body.traceId ?? traceId,
    limit,
    retryAfterMs,
    line,
    column,
    excerpt,
    advice,
  });
}

/** `Retry-After` is a number of seconds or a date. */
export function retryAfter(text: string | null, now: number): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== "object" || body === null) return false;
  return "error" in body && typeof body.error === "string" && "code" in body && typeof body.code === "string";
}
