import { AppError } from "../../../lib/app-error.ts";
import { FREE_DISK_SPACE, NO_DISK_ROOM } from "../../decide/refusals.ts";

// SQLite's primary result codes.
const BUSY = 5;
const LOCKED = 6;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
/** The memory that processes share lies in a file too, and there was no room for it: `IOERR_SHMSIZE`. */
const NO_ROOM_FOR_SHARED_MEMORY = 4874;

export type ErrorClass = "busy" | "full" | "fatal" | "other";

/** What an error of SQLite means for the store. */
export function classify(error: unknown): ErrorClass {
  const code = (error as { errcode?: unknown })?.errcode;
  if (typeof code !== "number") return "other";
  if (code === NO_ROOM_FOR_SHARED_MEMORY) return "full";
  switch (code & 0xff) {
    case BUSY:
    case LOCKED:
      return "busy";
    case FULL:
      return "full";
    // A failed fsync may have lost pages that SQLite counts as written, so no later answer could be trusted.
    case IOERR:
    case CORRUPT:
    case NOTADB:
    case CANTOPEN:
      return "fatal";
    default:
      return "other";
  }
}

/** The same error as callers of the store see it. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  switch (classify(error)) {
    case "busy":
      return new AppError("store-unavailable", "Another process locked the database for too long.", {
        cause,
        hint: "Try again; if it lasts, look for a program that keeps a transaction open on the file.",
      });
    case "full":
      return new AppError("disk-full", NO_DISK_ROOM, {
        cause,
        hint: FREE_DISK_SPACE,
      });
    case "fatal":
      return new AppError("store-failed", `The database failed: ${cause.message}`, {
        cause,
        hint: "Check the disk, then start again: answered submissions are recovered.",
      });
    default:
      return new AppError("internal", cause.message, { cause });
  }
}
