import { AppError, messageOf } from "../lib/app-error.ts";

/** PostgreSQL's own conflicts. They abort the transaction, and running it again helps. */
const CONFLICTS = new Set(["40001", "40P01", "23505"]);

/** What a statement in the caller's transaction failed with. The transaction is aborted by then. */
export function toCallerError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const code = sqlStateOf(cause);
  const conflict = code === undefined ? prismaConflictOf(cause) : CONFLICTS.has(code) ? code : undefined;
  if (conflict !== undefined) {
    return new AppError(
      "transaction-conflict",
      `The transaction conflicts with another one (${conflict}): ${messageOf(cause)}`,
      {
        cause,
        hint: "Roll back and run the whole transaction again.",
        details: { retryable: true, ...(code !== undefined && { sqlState: code }) },
      },
    );
  }
  return new AppError("transaction-failed", `A statement in your transaction failed: ${messageOf(cause)}`, {
    cause,
    hint: "Roll back. The cause has the error of your database library.",
    ...(code !== undefined && { details: { sqlState: code } }),
  });
}

/** Where libraries keep the error of their driver. Prisma's is at `meta.driverAdapterError.cause`. */
const INNER_ERRORS = ["cause", "driverError", "meta", "driverAdapterError"];
const SQL_STATE = /^[0-9A-Z]{5}$/;
/** Prisma's own codes, such as P2010 for a raw query that failed. Codes of PostgreSQL that start with P have a 0 next. */
const PRISMA_CODE = /^P[1-9]/;
/** Prisma's code for a serialization failure or a deadlock. The error may carry no code of PostgreSQL beside it. */
const PRISMA_CONFLICT = "P2034";

/** Libraries put the code of PostgreSQL on the error itself, or on an error inside it. */
function sqlStateOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  const fields = error as Record<string, unknown>;
  return (
    [fields["code"], fields["originalCode"]].find(isSqlState) ??
    INNER_ERRORS.map((name) => sqlStateOf(fields[name], depth + 1)).find((code) => code !== undefined)
  );
}

function prismaConflictOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return code === PRISMA_CONFLICT ? PRISMA_CONFLICT : undefined;
}

function isSqlState(code: unknown): code is string {
  return typeof code === "string" && SQL_STATE.test(code) && !PRISMA_CODE.test(code);
}
