// What an application begins transactions on, by the shape of each library. Only what we call is named here, so that no library has
// to be installed for the types.

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

/** What `ctx.transaction()` takes: a `TransactionSource`, a SQLite connection or a pool of MySQL. */
export interface DatabaseSource extends TransactionSource {
  /** A connection of `better-sqlite3`, `node:sqlite` or `bun:sqlite`. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  prepare?: any;
  /** A pool of `mysql2` or `mariadb`. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  getConnection?: any;
}

/** A SQLite connection, whose calls are synchronous: that of `better-sqlite3`, `node:sqlite` or `bun:sqlite`. */
export interface SqliteConnection {
  /** Runs statements without values. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  exec(statements: string): any;
  /** Prepares one statement. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  prepare(statement: string): any;
}

/** A connection of `mysql2/promise` or `mariadb` on which a transaction is open. */
export interface MysqlConnection {
  /** Runs one statement with question marks. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  query(statement: string, values?: any): Promise<any>;
  /** Begins a transaction; tells the connection from those of other databases. */
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types
  beginTransaction: any;
}

// biome-ignore-start lint/suspicious/noExplicitAny: only the place of the transaction matters in these patterns
/** The transaction that a source hands to its function. Patterns with two calls are of libraries with two overloads. */
export type TransactionOf<Source> = Source extends { prepare: (...statement: any[]) => any; exec: any }
  ? Source
  : Source extends { getConnection: () => Promise<infer Connection> }
    ? Connection
    : Source extends { $transaction: (work: (tx: infer Tx) => any, ...rest: any[]) => any }
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
