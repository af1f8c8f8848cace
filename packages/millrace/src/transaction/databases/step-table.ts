// The table `millrace_step` in a database of the application. Its row is written in the transaction of the application's own writes, and
// its primary key is the key of the step: of two attempts that run a step at once, only one commits.

import type { MysqlConnection, SqliteConnection } from "../../job/transaction-source.ts";
import { AppError } from "../../lib/app-error.ts";
import { toTransaction } from "../recognise.ts";
import type { TransactionHandle } from "../transaction.ts";
import { isMysqlConnection } from "./recognise-database.ts";
import { missingTable, mysqlRows } from "./rows.ts";

export interface StepRow {
  readonly id: string;
  /** The job whose attempt stored it, for people who look. */
  readonly job: string;
  readonly name: string;
  /** As JSON text. */
  readonly value: string;
  readonly savedAt: number;
}

export interface StepTable {
  /** The stored value of the step, as JSON text. */
  find(id: string): Promise<string | undefined>;
  add(row: StepRow): Promise<void>;
}

const FIND = "SELECT value FROM millrace_step WHERE id = ?";
const ADD = "INSERT INTO millrace_step (id, job, name, value, saved_at) VALUES (?, ?, ?, ?, ?)";
const FIND_POSTGRES = "SELECT value AS answer FROM millrace_step WHERE id = $1::text";
const ADD_POSTGRES = `WITH put AS (
    INSERT INTO millrace_step (id, job, name, value, saved_at)
    VALUES ($1::text, $2::text, $3::text, $4::text, $5::text::bigint)
    RETURNING id
  )
  SELECT id AS answer FROM put`;

const valuesOf = ({ id, job, name, value, savedAt }: StepRow) => [id, job, name, value, savedAt] as const;

/** Its calls are synchronous, as those of the connection are. */
export function sqliteStepTable(db: SqliteConnection) {
  return {
    find: (id: string): string | undefined => {
      const row = withHint(() => db.prepare(FIND).get(id)) as { value: string } | null | undefined;
      return row?.value;
    },
    add: (row: StepRow): void => void withHint(() => db.prepare(ADD).run(...valuesOf(row))),
  };
}

/** The table as the transaction of MySQL or of a library for PostgreSQL sees it. */
export async function stepTableOf(tx: unknown): Promise<StepTable> {
  return isMysqlConnection(tx) ? mysqlStepTable(tx) : postgresStepTable(tx as TransactionHandle);
}

function mysqlStepTable(connection: MysqlConnection): StepTable {
  return {
    find: async (id) => {
      const [row] = mysqlRows(await connection.query(FIND, [id]).catch(rethrowWithHint));
      return row?.["value"] as string | undefined;
    },
    add: async (row) => void (await connection.query(ADD, [...valuesOf(row)]).catch(rethrowWithHint)),
  };
}

async function postgresStepTable(handle: TransactionHandle): Promise<StepTable> {
  const tx = toTransaction(handle);
  const query = (text: string, values: string[]) => tx.query(text, values).catch(rethrowWithHint);
  return {
    find: async (id) => (await query(FIND_POSTGRES, [id]))[0]?.answer,
    add: async (row) => void (await query(ADD_POSTGRES, valuesOf(row).map(String))),
  };
}

function withHint<T>(ask: () => T): T {
  try {
    return ask();
  } catch (cause) {
    return rethrowWithHint(cause);
  }
}

function rethrowWithHint(cause: unknown): never {
  if (!missingTable(cause, "millrace_step")) throw cause;
  throw new AppError("table-missing", 'The table "millrace_step" is missing in the database of the transaction.', {
    cause,
    hint: "Run `millrace outbox init <database>` once. It creates the tables that Millrace uses there.",
  });
}
