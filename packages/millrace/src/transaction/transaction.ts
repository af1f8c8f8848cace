// The open transaction of an application, as the libraries for PostgreSQL hand it out. Only what we call of each is named here, so
// that no library has to be installed for the types.

/** A client of `pg` on which `BEGIN` has run. */
export interface PgTransaction {
  /** Runs one statement. */
  // biome-ignore lint/suspicious/noExplicitAny: pg overloads it in ways that no narrower type fits
  query: (...args: any[]) => any;
  /** Ends the connection or gives it back; tells a client from other objects with `query`. */
  release?: unknown;
}

/** The `sql` that `sql.begin()` of `postgres` hands out. */
export interface PostgresJsTransaction {
  /** Runs a statement with numbered parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: its rows and values have types of their own
  unsafe: (query: string, values?: any) => PromiseLike<any>;
}

/** The transaction of Kysely: `db.transaction().execute(async (trx) => …)`. */
export interface KyselyTransaction {
  /** Runs a compiled query. */
  // biome-ignore lint/suspicious/noExplicitAny: a compiled query is a class of Kysely
  executeQuery: (query: any, ...rest: any[]) => Promise<{ rows: unknown[] }>;
}

/** The transaction of Knex: `knex.transaction(async (trx) => …)`. */
export interface KnexTransaction {
  /** Runs a statement with question marks. */
  // biome-ignore lint/suspicious/noExplicitAny: Knex returns a builder that is also a promise
  raw: (query: string, values?: any) => any;
}

/** The transaction of Prisma: `prisma.$transaction(async (tx) => …)`. */
export interface PrismaTransaction {
  /** Runs a statement with numbered parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: Prisma leaves the rows open
  $queryRawUnsafe: (query: string, ...values: any[]) => PromiseLike<any>;
}

/** The entity manager of TypeORM: `dataSource.transaction(async (manager) => …)`; its query runner works too. */
export interface TypeormTransaction {
  /** Runs a statement with numbered parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: TypeORM leaves the rows open
  query: (query: string, values?: any[]) => Promise<any>;
}

/** The transaction of Drizzle: `db.transaction(async (tx) => …)`. */
export interface DrizzleTransaction {
  /** Runs a query. */
  // biome-ignore lint/suspicious/noExplicitAny: a query is a class of Drizzle
  execute: (query: any) => PromiseLike<any>;
}

/** Every transaction that `millrace.within()` takes. */
export type TransactionHandle =
  | PgTransaction
  | PostgresJsTransaction
  | KyselyTransaction
  | KnexTransaction
  | PrismaTransaction
  | TypeormTransaction
  | DrizzleTransaction;
