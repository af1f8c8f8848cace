import type { z } from "zod";
import { ERRORS, type ErrorBody, isErrorCode } from "../api/errors.ts";
import { AppError } from "../lib/app-error.ts";
import type { Log } from "../telemetry/log.ts";
import { issuesOf } from "./issues.ts";

/** What any handler threw, as the caller sees it: never a stack trace, never our insides. */
export function errorResponse(error: unknown, traceId: string, log: Log, about: Record<string, unknown>): Response {
  const known = knownError(error);
  if (!known) {
    log.error("request failed", { ...about, traceId, error });
    return answerError("internal", "The server could not answer this request.", traceId, {
      hint: "The trace id finds the reason in the server's log.",
    });
  }
  const { details } = known;
  const status = ERRORS[known.code as keyof typeof ERRORS].status;
  // A drawing that takes long is the caller's matter, not a fault of ours.
  if (status >= 500 && status !== 504) log.error("request failed", { ...about, traceId, error: known });
  return answerError(known.code, known.message, traceId, {
    ...(known.hint && { hint: known.hint }),
    ...pick(details, ["issues", "jobId", "limit", "statusUrl", "line", "column"]),
    retryAfterMs: details["retryAfterMs"] as number | undefined,
    headers: details["headers"] as Record<string, string> | undefined,
  });
}

function knownError(error: unknown): AppError | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === "store-closed") return new AppError("stopping", "The server is shutting down.", { cause: error });
  return isErrorCode(error.code) ? error : undefined;
}

interface More {
  hint?: string;
  retryAfterMs?: number | undefined;
  headers?: Record<string, string> | undefined;
}

export function answerError(code: string, message: string, traceId: string, more: More = {}): Response {
  const { retryAfterMs, headers, ...rest } = more;
  const status = isErrorCode(code) ? ERRORS[code].status : 500;
  const body: ErrorBody = { error: message, code, ...rest, traceId };
  // Whoever may come back is told when; a second is the least a header can say.
  const wait = retryAfterMs ?? (status === 503 || status === 507 ? 5_000 : undefined);
  return Response.json(body, {
    status,
    headers: {
      "x-trace-id": traceId,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(wait !== undefined && { "retry-after": String(Math.max(1, Math.ceil(wait / 1_000))) }),
      ...headers,
    },
  });
}

/** Unknown fields, wrong types: every place at fault with its path. */
export function invalidRequest(where: string, error: z.ZodError): AppError {
  const issues = issuesOf(error).slice(0, 20);
  const [first] = issues;
  const at = first?.path ? ` at "${first.path}"` : "";
  return new AppError("invalid-request", `The ${where} is not valid${at}: ${first?.message ?? "see issues"}`, {
    details: { issues },
  });
}

function pick(from: Readonly<Record<string, unknown>>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}
