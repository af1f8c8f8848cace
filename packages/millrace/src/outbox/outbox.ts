// The databases of applications that `Millrace.open({ outboxes })` takes.

import { basename } from "node:path";
import type { SqliteConnection } from "../job/transaction-source.ts";
import { AppError } from "../lib/app-error.ts";
import { checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anyText, ms } from "../lib/options/option.ts";
import { isMysqlPool, isSqlite, type MysqlPool } from "../transaction/databases/recognise-database.ts";
import type { TransactionHandle } from "../transaction/transaction.ts";
import type { OutboxDatabase } from "./databases/database.ts";
import { type LibsqlClient, libsqlDatabase } from "./databases/libsql.ts";
import { mysqlDatabase } from "./databases/mysql.ts";
import { postgresDatabase } from "./databases/postgres.ts";
import { sqliteDatabase, sqliteFile } from "./databases/sqlite.ts";
import { TABLES } from "./databases/tables.ts";
import { within } from "./within.ts";

/** Options of an outbox. */
export interface OutboxOptions {
  /** Its name for people, in health checks and logs. Default: the kind of its database, and the name of the file. */
  label?: string;
  /** How often a relay looks for new rows, in milliseconds. Default: 500. */
  pollMs?: number;
}

/** A table in a database of the application, whose rows become jobs. `outbox.sqlite()` and its siblings return one. */
export class Outbox {
  /** Its name for people. */
  readonly label: string;
  /** @internal */
  readonly pollMs: number;
  /** @internal */
  readonly database: OutboxDatabase;

  /** @internal */
  constructor(database: OutboxDatabase, defaultLabel: string, options: OutboxOptions = {}) {
    checkOptions(OPTIONS, options);
    this.database = database;
    this.label = options.label ?? defaultLabel;
    this.pollMs = options.pollMs ?? POLL_MS;
  }

  /** Creates the tables that are missing, as `millrace outbox init` does. */
  init(): Promise<void> {
    return this.database.init();
  }
}

const POLL_MS = 500;
const OPTIONS: OptionBag = { what: "outbox", options: { label: anyText(), pollMs: ms(1, 3_600_000) } };

/** Outboxes: jobs that exist if and only if a transaction of the application commits, on any database. */
export const outbox = {
  /** An outbox in a SQLite file, or on a connection of `better-sqlite3`, `node:sqlite` or `bun:sqlite`. */
  sqlite(database: string | SqliteConnection, options?: OutboxOptions): Outbox {
    if (typeof database === "string") return new Outbox(sqliteFile(database), `SQLite ${basename(database)}`, options);
    if (isSqlite(database))
      return new Outbox(
        sqliteDatabase(() => database),
        "SQLite",
        options,
      );
    throw unusable("outbox.sqlite() needs the path of a file, or a connection with prepare() and exec().");
  },

  /** An outbox in a PostgreSQL database: a pool of `pg`, or the database object of a library that `within()` knows. */
  postgres(pool: TransactionHandle, options?: OutboxOptions): Outbox {
    return new Outbox(postgresDatabase(pool), "PostgreSQL", options);
  },

  /** An outbox in a MySQL or MariaDB database: a pool of `mysql2` or `mariadb`. */
  mysql(pool: MysqlPool, options?: OutboxOptions): Outbox {
    if (isMysqlPool(pool)) return new Outbox(mysqlDatabase(pool), "MySQL", options);
    throw unusable("outbox.mysql() needs a pool with getConnection().");
  },

  /** An outbox in a libSQL database: a client of `@libsql/client`. */
  libsql(client: LibsqlClient, options?: OutboxOptions): Outbox {
    return new Outbox(libsqlDatabase(client), "libSQL", options);
  },

  /** Submits in an open transaction of the application, by a row in its table `millrace_outbox`. */
  within,

  /** The statements that create the tables, for migrations of the application's own. */
  tables: TABLES,
};

function unusable(message: string): AppError {
  return new AppError("outbox-unusable", message);
}
