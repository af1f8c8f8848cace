import { isBuiltin } from "node:module";
import { AppError } from "../../../lib/app-error.ts";
import { SUPPORTED } from "../../../lib/runtime/runtimes.ts";

/** Throws on a runtime without SQLite, before a thread would fail on it. Does not load SQLite. */
export function requireSqlite(): void {
  if (isBuiltin("node:sqlite")) return;
  throw new AppError("runtime-too-old", `SQLite is missing: Node ${process.versions.node} has no node:sqlite.`, {
    hint: `Use ${SUPPORTED}; or keep jobs in PostgreSQL, with postgres().`,
  });
}
