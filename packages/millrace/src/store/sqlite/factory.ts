import { AppError } from "../../lib/app-error.ts";
import type { StoreFactory } from "../store.ts";
import { SqliteStore, type SqliteStoreOptions } from "./store.ts";

/** Options of `sqlite()`. */
export interface SqliteOptions {
  /** The name of this process in pools, logs and the dashboard. Default: `hostname:pid`. */
  instanceName?: string;
  /** @internal Tests: shifts the clocks of this process and its store thread. */
  clockOffsets?: NonNullable<SqliteStoreOptions["clockOffsets"]>;
  /** @internal Tests: no thread, time and chance by hand. */
  inline?: NonNullable<SqliteStoreOptions["inline"]>;
}

/**
 * Keeps everything in one SQLite file, with artifacts in a second file beside it. All processes that use the file must
 * run on the same machine. `":memory:"` keeps nothing. The folder is created if it is missing.
 *
 * @example
 * ```ts
 * import { Millrace, sqlite } from "millrace";
 *
 * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db") });
 * console.log(await millrace.count());
 * await millrace.stop();
 * ```
 */
export function sqlite(path: string, options: SqliteOptions = {}): StoreFactory {
  if (typeof path !== "string" || path === "") {
    throw new AppError("options-invalid", "sqlite() needs the path of a file.", { hint: 'sqlite("./data/jobs.db")' });
  }
  return ({ leaseMs, durability, limits }) => new SqliteStore({ path, leaseMs, durability, limits, ...options });
}
