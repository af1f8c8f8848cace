import { MillraceError } from "../../client/index.ts";
import { AppError } from "../../lib/app-error.ts";
import { oneLine } from "../output/format.ts";

/** The exit codes of the CLI. */
export const EXIT = {
  ok: 0,
  failed: 1,
  wrongUse: 2,
  notFound: 3,
  /** The wait for something other than a job timed out. */
  timedOut: 3,
  /** A check has found work to do. */
  pending: 3,
  refused: 4,
  unreachable: 5,
  jobFailed: 6,
  /** The code that a shell gives to whatever Ctrl-C ended. */
  interrupted: 130,
} as const;

/** Prints on standard error what went wrong and what to do. Returns the exit code. */
export function complain(error: unknown, json: boolean): number {
  const text = json ? JSON.stringify(bodyOf(error)) : `millrace: ${sentences(error).map(oneLine).join("\n  ")}`;
  process.stderr.write(`${text}\n`);
  return exitCodeOf(error);
}

/** The error in the shape of the API's errors, even if no server was asked. */
function bodyOf(error: unknown): object {
  if (error instanceof MillraceError) {
    const { message, code, hint, traceId, issues, jobId, limit } = error;
    return { error: message, code, hint, traceId, issues: issues.length > 0 ? issues : undefined, jobId, limit };
  }
  if (error instanceof AppError) return { error: error.message, code: error.code, hint: error.hint };
  return { error: error instanceof Error ? error.message : String(error), code: "failed" };
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof AppError && error.code === "workload-invalid") return EXIT.wrongUse;
  if (error instanceof AppError && error.code === "store-unavailable") return EXIT.unreachable;
  if (!(error instanceof MillraceError)) return EXIT.failed;
  const { status, code } = error;
  if (code === "invalid-options") return EXIT.wrongUse;
  if (code === "unreachable" || code === "request-timeout" || status === 503) return EXIT.unreachable;
  if (code === "job-failed" || code === "job-cancelled") return EXIT.jobFailed;
  if (status === 404) return EXIT.notFound;
  if ([401, 403, 409, 429, 507].includes(status) || code === "idempotency-conflict") return EXIT.refused;
  if ([400, 405, 413, 415, 422].includes(status)) return EXIT.wrongUse;
  return EXIT.failed;
}

const KEY_HINT =
  "Give the key in API_KEY or with --api-key. If your application serves the API behind a sign-in with user and password, " +
  "put them into the address: --url https://user:password@host/path.";

function sentences(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const lines = [error.message];
  if (error instanceof MillraceError) {
    const hint = error.status === 401 ? KEY_HINT : error.hint;
    const told = `${error.message} ${hint ?? ""}`;
    const untold = error.issues.filter(({ message }) => !told.includes(message.replace(/^one of /, "")));
    lines.push(...untold.map(({ path, message }) => `${path}: ${message}`));
    // The hint of the client names its options; the CLI has flags.
    if (error.code === "unreachable")
      lines.push(
        "Start a server: millrace serve. Or give the address of another one: --url or MILLRACE_URL.",
        "Without a server, name the SQLite file or the PostgreSQL URL: --db.",
      );
    else if (hint) lines.push(hint);
    if (error.status >= 500 && error.traceId) lines.push(`Trace id: ${error.traceId}`);
  }
  if (error instanceof AppError && error.hint) lines.push(error.hint);
  return lines;
}
