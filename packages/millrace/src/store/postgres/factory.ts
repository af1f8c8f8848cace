import { AppError } from "../../lib/app-error.ts";
import type { StoreFactory } from "../store.ts";
import { DatabaseTarget } from "./connection/target.ts";
import { PostgresStore, type PostgresStoreOptions } from "./store.ts";

/** Options of `postgres()`. */
export interface PostgresOptions {
  /** The name of this process in pools, logs and the dashboard. Default: `hostname:pid`. */
  instanceName?: string;
  /** @internal Tests: no thread, time and chance by hand. */
  inline?: NonNullable<PostgresStoreOptions["inline"]>;
}

/**
 * Keeps everything in one PostgreSQL database, version 16 or newer, shared by any number of processes. Needs the
 * package `pg`. Parameters of the URL: `?schema=name` (default: millrace), `?connections=6` (for writing, per process)
 * and `?pooler=transaction` (behind PgBouncer).
 *
 * @example
 * ```ts
 * import { Millrace, postgres } from "millrace";
 *
 * export function openJobs(): Promise<Millrace> {
 *   return Millrace.open({ store: postgres("postgres://app:secret@db.example.com/app?schema=jobs") });
 * }
 * ```
 */
export function postgres(url: string, options: PostgresOptions = {}): StoreFactory {
  if (typeof url !== "string" || url === "") {
    throw new AppError("options-invalid", "postgres() needs the address of a database.", {
      hint: 'postgres("postgres://user:password@host:5432/database")',
    });
  }
  new DatabaseTarget(url); // The target reads the URL at once, and throws if it is invalid.
  return ({ leaseMs, durability, limits }) => new PostgresStore({ url, leaseMs, durability, limits, ...options });
}
