import type { StoreFactory } from "../store.ts";
import { SqliteStore, type SqliteStoreOptions } from "./store.ts";

/** The whole state in one file (and its artifacts in another beside it); `":memory:"` keeps nothing. */
export function sqlite(
  path: string,
  options: Pick<SqliteStoreOptions, "clockOffsets" | "inline" | "instanceName"> = {},
): StoreFactory {
  return ({ leaseMs, durability, limits }) => new SqliteStore({ path, leaseMs, durability, limits, ...options });
}
