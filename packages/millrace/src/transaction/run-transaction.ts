import { AppError } from "../lib/app-error.ts";

/** What begins transactions: a pool or connection of one of the libraries that `within()` knows. */
export interface TransactionSource {
  /** A pool of `pg`. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  connect?: any;
  /** `postgres`. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  begin?: any;
  /** Drizzle, Kysely, Knex or TypeORM. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  transaction?: any;
  /** Prisma. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  $transaction?: any;
}

// biome-ignore-start lint/suspicious/noExplicitAny: only the place of the transaction matters in these patterns
/** The transaction that a source hands to its function. Patterns with two calls are of libraries with two overloads. */
export type TransactionOf<Source> = Source extends {
  $transaction: (work: (tx: infer Tx) => any, ...rest: any[]) => any;
}
  ? Tx
  : Source extends {
        begin: { (work: (tx: infer Tx) => any): any; (options: string, work: (tx: any) => any): any };
      }
    ? Tx
    : Source extends { transaction: () => { execute: (work: (tx: infer Tx) => any) => any } }
      ? Tx
      : Source extends {
            transaction: {
              (work: (tx: infer Tx) => any): any;
              (isolation: "SERIALIZABLE", work: (tx: any) => any): any;
            };
          }
        ? Tx
        : Source extends { transaction: (work: (tx: infer Tx) => any, ...rest: any[]) => any }
          ? Tx
          : Source extends { connect: { (): Promise<infer Client>; (callback: any): any } }
            ? Client
            : unknown;
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** Begins a transaction, runs the work in it, and commits. An error rolls it back. */
export async function runTransaction<T>(source: TransactionSource, work: (tx: never) => Promise<T>): Promise<T> {
  if (typeof source?.$transaction === "function") return source.$transaction(work);
  if (typeof source?.begin === "function") return source.begin(work);
  if (typeof source?.transaction === "function") {
    // Kysely's takes no function and returns a builder.
    return source.transaction.length === 0 && "executeQuery" in source
      ? source.transaction().execute(work)
      : source.transaction(work);
  }
  if (typeof source?.connect === "function") return withPgClient(source as PgPool, work);
  throw new AppError("transaction-unusable", "transaction() needs a pool or database that begins transactions.", {
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
