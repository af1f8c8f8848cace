import { AppError } from "../lib/app-error.ts";
import { fromKnex, fromKysely, fromPg, fromPostgresJs, fromPrisma, fromTypeorm } from "./adapters/adapters.ts";
import type { Transaction, TransactionHandle } from "./transaction.ts";

/** Finds the adapter of a transaction by the methods that only its library has. */
export async function toTransaction(handle: TransactionHandle): Promise<Transaction> {
  const has = (name: string) => typeof (handle as unknown as Record<string, unknown> | null)?.[name] === "function";
  const holds = (name: string) => name in handle;
  if (handle === null || (typeof handle !== "object" && typeof handle !== "function")) throw unknownHandle();
  if (holds("isAdapted")) return handle as Transaction;
  if (has("$queryRawUnsafe")) return fromPrisma(handle as never);
  if (has("executeQuery")) return fromKysely(handle as never);
  if (has("unsafe")) return fromPostgresJs(handle as never);
  // Drizzle's transactions have `execute` and a session; TypeORM's have `query` and a manager or a connection.
  if (has("execute") && holds("session")) return (await drizzle()).fromDrizzle(handle as never);
  if (has("raw")) return fromKnex(handle as never);
  if (has("query") && (holds("queryRunner") || holds("manager"))) return fromTypeorm(handle as never);
  if (has("query")) return fromPg(handle as never);
  throw unknownHandle();
}

async function drizzle(): Promise<typeof import("./adapters/drizzle.ts")> {
  try {
    return await import("./adapters/drizzle.ts");
  } catch (cause) {
    throw new AppError("transaction-unusable", "Could not load drizzle-orm for the transaction.", {
      cause,
      hint: 'Pass within(fromDrizzle(tx)), with fromDrizzle from "millrace/drizzle".',
    });
  }
}

function unknownHandle(): AppError {
  return new AppError("transaction-unusable", "within() needs an open transaction.", {
    hint: "Pass a client of pg, or the transaction of postgres, Drizzle, Kysely, Knex, Prisma or TypeORM.",
  });
}
