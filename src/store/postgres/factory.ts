import { AppError } from "../../lib/app-error.ts";
import type { StoreFactory } from "../store.ts";
import { PostgresStore, type PostgresStoreOptions } from "./store.ts";
import { Target } from "./target.ts";

/**
 * The whole state in one PostgreSQL database, 16 or newer, shared by any number of processes. The URL may say
 * `?schema=name` (else "millrace"), `?connections=6` (for writing, per process) and `?pooler=transaction`.
 */
export function postgres(
  url: string,
  options: Pick<PostgresStoreOptions, "inline" | "instanceName"> = {},
): StoreFactory {
  if (typeof url !== "string" || url === "") {
    throw new AppError("options-invalid", "postgres() needs the address of a database.", {
      hint: 'postgres("postgres://user:password@host:5432/database")',
    });
  }
  new Target(url); // says at once what is wrong with it
  return ({ leaseMs, durability, limits }) => new PostgresStore({ url, leaseMs, durability, limits, ...options });
}
