// Transactions on any database of the application: those of the libraries for PostgreSQL, and pools of MySQL.

import type { DatabaseSource } from "../../job/transaction-source.ts";
import { runTransaction } from "../run-transaction.ts";
import { isMysqlPool, type MysqlPool } from "./recognise-database.ts";

/** Begins a transaction, runs the work in it, and commits. An error rolls it back. */
export function runInDatabase<T>(db: DatabaseSource, work: (tx: unknown) => Promise<T>): Promise<T> {
  return isMysqlPool(db) ? onMysql(withPromises(db), work) : runTransaction(db, work);
}

/** The pool of `mysql2` has one with promises inside it; that of `mysql2/promise` is one. */
export function withPromises(pool: MysqlPool): MysqlPool {
  const { promise } = pool as { promise?: unknown };
  return typeof promise === "function" ? (promise.call(pool) as MysqlPool) : pool;
}

interface PooledConnection {
  beginTransaction(): Promise<unknown>;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
  release(): unknown;
  destroy(): unknown;
}

async function onMysql<T>(pool: MysqlPool, work: (tx: unknown) => Promise<T>): Promise<T> {
  const connection = (await pool.getConnection()) as PooledConnection;
  let isBroken = false;
  try {
    await connection.beginTransaction();
    const result = await work(connection);
    await connection.commit();
    return result;
  } catch (error) {
    await connection.rollback().catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    // A connection that could not roll back must not go back into the pool.
    if (isBroken) connection.destroy();
    else await connection.release();
  }
}
