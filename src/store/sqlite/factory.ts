import { AppError } from "../../lib/app-error.ts";
import type { StoreFactory } from "../store.ts";
import { SqliteStore, type SqliteStoreOptions } from "./store.ts";

/** The whole state in one file (and its artifacts in another beside it); `":memory:"` keeps nothing. */
export function sqlite(
  path: string,
  options: Pick<SqliteStoreOptions, "clockOffsets" | "inline" | "instanceName"> = {},
): StoreFactory {
  if (typeof path !== "string" || path === "") {
    throw new AppError("options-invalid", "sqlite() needs the path of a file.", { hint: 'sqlite("./data/jobs.db")' });
  }
  return ({ leaseMs, durability, limits }) => new SqliteStore({ path, leaseMs, durability, limits, ...options });
}
