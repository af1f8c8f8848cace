// Only Millrace writes to its file, and a commit over two files is not atomic when the power fails. So no transaction of an
// application can reach it.

import { AppError } from "../../../lib/app-error.ts";

export function submitWithin(): never {
  throw needsPostgres("Submit");
}

export function needsPostgres(verb: "Submit" | "Signal"): AppError {
  return new AppError("transaction-unusable", "within(tx) needs the PostgreSQL store.", {
    hint: `A SQLite file of Millrace belongs to Millrace alone. ${verb} after your own commit, with an idempotency key.`,
  });
}

/** Other processes notice a commit on this file by themselves. */
export function announceWork(): void {}
