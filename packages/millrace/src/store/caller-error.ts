import { AppError, messageOf } from "../lib/app-error.ts";

/** PostgreSQL's own conflicts. They abort the transaction, and running it again helps. */
const CONFLICTS = new Set(["40001", "40P01", "23505"]);

/** What a statement in the caller's transaction failed with. The transaction is aborted by then. */
export function toCallerError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const code = sqlStateOf(cause);
  if (code !== undefined && CONFLICTS.has(code)) {
    return new AppError("transaction-conflict", `The transaction met another one (${code}): ${messageOf(cause)}`, {
      cause,
      hint: "Roll back and run the whole transaction again.",
      details: { retryable: true, sqlState: code },
    });
  }
  return new AppError("transaction-failed", `A statement in your transaction failed: ${messageOf(cause)}`, {
    cause,
    hint: "Roll back. The cause has the error of your database library.",
    ...(code !== undefined && { details: { sqlState: code } }),
  });
}

/** Libraries put the code of PostgreSQL on the error itself, or on its cause. */
function sqlStateOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  const { code, cause, driverError, meta } = error as Record<string, unknown>;
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
  return sqlStateOf(cause, depth + 1) ?? sqlStateOf(driverError, depth + 1) ?? sqlStateOf(meta, depth + 1);
}
