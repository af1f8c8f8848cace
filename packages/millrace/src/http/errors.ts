import { ERRORS, type ErrorBody, type ErrorTable } from "../api/errors.ts";
import { AppError } from "../lib/app-error.ts";
import type { Log } from "../telemetry/log/log.ts";

/** What any handler threw, as the caller sees it: never a stack trace, never our insides. */
export function errorResponse(
  error: unknown,
  traceId: string,
  { log, errors, about }: { log: Log; errors: ErrorTable; about: Record<string, unknown> },
): Response {
  const known = knownError(error, errors);
  if (!known) {
    log.error("request failed", { ...about, traceId, error });
    return answerError("internal", "The server failed to process this request.", traceId, {
      status: ERRORS.internal.status,
      hint: "Look for the trace id in the server's log.",
    });
  }
  const { details } = known;
  const status = errors[known.code]?.status ?? ERRORS.internal.status;
  // Neither work that takes longer than the caller waits, nor a stop, is a fault of the server.
  if (status >= 500 && status !== 504 && known.code !== "stopping")
    log.error("request failed", { ...about, traceId, error: known });
  return answerError(known.code, known.message, traceId, {
    status,
    ...(known.hint && { hint: known.hint }),
    ...pick(details, ["issues", "jobId", "limit", "statusUrl", "line", "column", "excerpt", "advice"]),
    retryAfterMs: details["retryAfterMs"] as number | undefined,
    headers: details["headers"] as Record<string, string> | undefined,
  });
}

function knownError(error: unknown, errors: ErrorTable): AppError | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === "store-closed") return new AppError("stopping", "The server is shutting down.", { cause: error });
  return Object.hasOwn(errors, error.code) ? error : undefined;
}

interface ErrorDetails {
  status: number;
  hint?: string;
  retryAfterMs?: number | undefined;
  headers?: Record<string, string> | undefined;
}

function answerError(code: string, message: string, traceId: string, more: ErrorDetails): Response {
  const { status, retryAfterMs, headers, ...rest } = more;
  const body: ErrorBody = { error: message, code, ...rest, traceId };
  // Retry-After for errors that may pass. Its unit is seconds, so the shortest value is one second.
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

function pick(from: Readonly<Record<string, unknown>>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}
