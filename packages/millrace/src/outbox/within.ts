// Writes rows of an outbox in a transaction of the application. It needs no store, so a program that never opens Millrace can use it.

import type { Kind } from "../job/kind/kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import type { MysqlConnection, SqliteConnection } from "../job/transaction-source.ts";
import { AppError } from "../lib/app-error.ts";
import { isMysqlConnection, isSqlite } from "../transaction/databases/recognise-database.ts";
import { missingTable } from "../transaction/databases/rows.ts";
import { toTransaction } from "../transaction/recognise.ts";
import type { TransactionHandle } from "../transaction/transaction.ts";
import type { LibsqlClient } from "./databases/libsql.ts";
import { type NewRow, newRow } from "./row.ts";

/** A row that becomes a job after the commit. */
export interface OutboxReceipt {
  /** The id of the row, which is not the id of the job. */
  rowId: string;
}

/** Submits on a SQLite connection. Its calls are synchronous, as those of the connection are. */
export interface SqliteOutboxJobs {
  /** Inserts the row of one job. */
  submit<Input>(kind: Kind<Input>, payload: NoInfer<Input>, options?: SubmitOptions): OutboxReceipt;
}

/** Submits in a transaction of any other database. */
export interface OutboxJobs {
  /** Inserts the row of one job. */
  submit<Input>(kind: Kind<Input>, payload: NoInfer<Input>, options?: SubmitOptions): Promise<OutboxReceipt>;
}

/** What `outbox.within()` takes beside a SQLite connection. */
export type OutboxTransaction = MysqlConnection | LibsqlClient | TransactionHandle;

const COLUMNS = "(id, kind, payload, options, tenant)";
const INSERT = `INSERT INTO millrace_outbox ${COLUMNS} VALUES (?, ?, ?, ?, ?)`;
const INSERT_POSTGRES = `WITH put AS (
    INSERT INTO millrace_outbox ${COLUMNS}
    VALUES ($1::text, $2::text, $3::text, $4::text, $5::text)
    RETURNING id
  )
  SELECT id AS answer FROM put`;

const valuesOf = ({ id, kind, payload, options, tenant }: NewRow) => [id, kind, payload, options, tenant];

export function within(tx: SqliteConnection): SqliteOutboxJobs;
export function within(tx: OutboxTransaction): OutboxJobs;
export function within(tx: SqliteConnection | OutboxTransaction): SqliteOutboxJobs | OutboxJobs {
  if (isSqlite(tx))
    return { submit: (kind, payload, options = {}) => insertNow(tx, newRow(kind as Kind, payload, options)) };
  return {
    submit: async (kind, payload, options = {}) => {
      const row = await newRow(kind as Kind, payload, options);
      await insert(tx, row).catch(rethrowWithHint);
      return { rowId: row.id };
    },
  };
}

function insertNow(db: SqliteConnection, row: NewRow | Promise<NewRow>): OutboxReceipt {
  if (row instanceof Promise) {
    row.catch(() => {});
    throw new AppError("transaction-unusable", "The payload schema of the kind is asynchronous.", {
      hint: "A transaction on a SQLite connection is synchronous. Use a schema without asynchronous checks.",
    });
  }
  try {
    db.prepare(INSERT).run(...valuesOf(row));
  } catch (cause) {
    rethrowWithHint(cause);
  }
  return { rowId: row.id };
}

async function insert(tx: OutboxTransaction, row: NewRow): Promise<void> {
  if (isMysqlConnection(tx)) await tx.query(INSERT, valuesOf(row));
  else if (isLibsql(tx)) await tx.execute({ sql: INSERT, args: valuesOf(row) });
  else await toTransaction(tx as TransactionHandle).query(INSERT_POSTGRES, valuesOf(row));
}

/** Transactions of Drizzle have an `execute` too, and a session. */
function isLibsql(tx: OutboxTransaction): tx is LibsqlClient {
  return "execute" in tx && "batch" in tx && !("session" in tx);
}

function rethrowWithHint(cause: unknown): never {
  if (!missingTable(cause, "millrace_outbox")) throw cause;
  throw new AppError("table-missing", 'The table "millrace_outbox" is missing in the database of the transaction.', {
    cause,
    hint: "Run `millrace outbox init <database>` once. It creates the tables that Millrace uses there.",
  });
}
