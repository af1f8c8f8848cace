import type { TransactionSource } from "../job/transaction-source.ts";
import { AppError } from "../lib/app-error.ts";
import { isSqlite } from "./databases/recognise-database.ts";

/** Begins a transaction, runs the work in it, and commits. An error rolls it back. */
export async function runTransaction<T>(source: TransactionSource, work: (tx: never) => Promise<T>): Promise<T> {
  // The transaction() of better-sqlite3 returns a function instead of a result.
  if (isSqlite(source)) throw noTransactionSource();
  if (typeof source?.$transaction === "function") return source.$transaction(work);
  if (typeof source?.begin === "function") return source.begin(work);
  if (typeof source?.transaction === "function") {
    // Kysely's takes no function and returns a builder.
    return source.transaction.length === 0 && "executeQuery" in source
      ? source.transaction().execute(work)
      : source.transaction(work);
  }
  if (typeof source?.connect === "function") return withPgClient(source as PgPool, work);
  throw noTransactionSource();
}

function noTransactionSource(): AppError {
  return new AppError("transaction-unusable", "transaction() needs a pool or database that begins transactions.", {
    hint: "Pass a Pool of pg, or the database object of postgres, Drizzle, Kysely, Knex, Prisma or TypeORM.",
  });
}

interface PgPool {
  connect(): Promise<{ query(text: string): Promise<unknown>; release(error?: Error): void }>;
}

async function withPgClient<T>(pool: PgPool, work: (tx: never) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client as never);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    // A connection that could not roll back must not go back into the pool.
    client.release(broken);
  }
}
