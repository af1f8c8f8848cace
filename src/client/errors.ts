import type { ErrorBody } from "../api/errors.ts";
import type { Job } from "./wire.ts";

/** Codes that come from the client itself, where no server answered or its answer is no use. */
export type ClientCode =
  | "invalid-options"
  | "unreachable"
  | "request-timeout"
  | "bad-answer"
  | "wait-timeout"
  | "job-failed"
  | "job-cancelled";

export interface MillraceErrorDetails {
  /** Of the answer; 0 when there was none. */
  readonly status?: number | undefined;
  readonly hint?: string | undefined;
  readonly issues?: ErrorBody["issues"];
  readonly jobId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly limit?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly job?: Job | undefined;
  readonly cause?: unknown;
}

/** Whatever goes wrong: `message` for people, `code` for programs, `hint` for the next step. */
export class MillraceError extends Error {
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  /** What is wrong with the request, and where. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];
  /** The job in the way, or the one that this is about. */
  readonly jobId: string | undefined;
  readonly traceId: string | undefined;
  /** Which limit was reached. */
  readonly limit: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** Where the fault in a diagram is, counted from 1. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The job that failed or was cancelled, where `result` waited for it. */
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
    this.job = details.job;
  }
}

/** The error that an answer tells of; one that is not ours (a proxy's page, say) is told by its status. */
export function errorOf(response: Response, body: unknown): MillraceError {
  const { status, headers } = response;
  const retryAfterMs = retryAfter(headers.get("retry-after"), Date.now());
  const traceId = headers.get("x-trace-id") ?? undefined;
  if (!isErrorBody(body)) {
    return new MillraceError("bad-answer", `The server answered with status ${status} and no explanation.`, {
      status,
      traceId,
      retryAfterMs,
      hint: "Is there a proxy in between, or another program at this address?",
    });
  }
  const { error, code, hint, issues, jobId, limit, line, column } = body;
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
