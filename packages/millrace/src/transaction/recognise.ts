import { AppError } from "../lib/app-error.ts";
import type { CallerTransaction } from "../store/verbs/caller-transaction.ts";
import { fromDrizzle, fromKnex, fromKysely, fromPg, fromPostgresJs, fromPrisma, fromTypeorm } from "./adapters.ts";
import type { TransactionHandle } from "./transaction.ts";

/** Finds the adapter of a transaction by the methods that only its library has. */
export function toTransaction(handle: TransactionHandle): CallerTransaction {
  const has = (name: string) => typeof (handle as unknown as Record<string, unknown> | null)?.[name] === "function";
  const holds = (name: string) => name in handle;
  if (handle === null || (typeof handle !== "object" && typeof handle !== "function")) throw unknownHandle();
  if (has("$queryRawUnsafe")) return fromPrisma(handle as never);
  if (has("executeQuery")) return fromKysely(handle as never);
  if (has("unsafe")) return fromPostgresJs(handle as never);
  // Drizzle's transactions have `execute` and a session; TypeORM's have `query` and a manager or a connection.
  if (has("execute") && holds("session")) return fromDrizzle(handle as never);
  if (has("raw")) return fromKnex(handle as never);
  if (has("query") && (holds("queryRunner") || holds("manager"))) return fromTypeorm(handle as never);
  if (has("query")) return fromPg(handle as never);
  throw unknownHandle();
}

function unknownHandle(): AppError {
  return new AppError("transaction-unusable", "within() needs an open transaction.", {
    hint: "Pass a client of pg, or the transaction of postgres, Drizzle, Kysely, Knex, Prisma or TypeORM.",
  });
}
