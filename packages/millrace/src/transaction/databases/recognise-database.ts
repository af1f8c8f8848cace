// Which kind of database a connection, pool or transaction of the application is on, by the methods that only its library has.

import type { MysqlConnection, SqliteConnection } from "../../job/transaction-source.ts";

function has(source: unknown, name: string): boolean {
  return typeof (source as Record<string, unknown> | null | undefined)?.[name] === "function";
}

/** A connection of `better-sqlite3`, `node:sqlite` or `bun:sqlite`. */
export function isSqlite(source: unknown): source is SqliteConnection {
  return has(source, "prepare") && has(source, "exec");
}

export function isMysqlPool(source: unknown): source is MysqlPool {
  return has(source, "getConnection");
}

/** A query runner of TypeORM has a `startTransaction`. */
export function isMysqlConnection(source: unknown): source is MysqlConnection {
  return has(source, "beginTransaction") && has(source, "query") && !has(source, "startTransaction");
}

/** A pool of `mysql2/promise` or `mariadb`. */
export interface MysqlPool {
  /** Takes a connection from the pool. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  getConnection(...rest: any[]): any;
}
