import { AppError } from "../../../lib/app-error.ts";
import type { CallerRunner } from "../connection/caller-runner.ts";
import type { Core } from "../core.ts";

/** The tables that a submission reads or writes, and what it needs of each. */
const RIGHTS = Object.entries({
  job: "INSERT",
  unique_key: "SELECT,INSERT",
  idempotency: "SELECT,INSERT,UPDATE",
  meta: "SELECT",
  joined: "INSERT",
  window_caller: "SELECT,INSERT",
  window_entry: "SELECT",
});
const RIGHTS_ROWS = RIGHTS.map(([table, rights]) => `('${table}', '${rights}')`).join(", ");

// It must not fail, whatever it finds, because a statement that fails aborts the caller's transaction. So it reads the catalog of
// the server and names no table of ours.
const CHECK = `SELECT json_build_object(
    'transaction', CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_current_xact_id()::text END,
    'user', current_user,
    'database', current_database(),
    'isReadOnly', current_setting('transaction_read_only') = 'on',
    'hasSchema', EXISTS (
      SELECT 1 FROM pg_namespace JOIN pg_class ON relnamespace = pg_namespace.oid WHERE nspname = $1::text AND relname = 'joined'
    ),
    'missing', (
      SELECT string_agg(wanted.name || ' (' || wanted.rights || ')', ', ')
      FROM (VALUES ${RIGHTS_ROWS}) AS wanted (name, rights)
      JOIN pg_namespace ON nspname = $1::text
      LEFT JOIN pg_class ON relnamespace = pg_namespace.oid AND relname = wanted.name
      WHERE NOT has_schema_privilege(pg_namespace.oid, 'USAGE') OR pg_class.oid IS NULL
        OR EXISTS (
          SELECT 1 FROM unnest(string_to_array(wanted.rights, ',')) AS each_right
          WHERE NOT has_table_privilege(pg_class.oid, each_right)
        )
    ),
    'maySequence', (
      SELECT bool_and(has_sequence_privilege(pg_class.oid, 'USAGE'))
      FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
      WHERE nspname = $1::text AND relname = 'job_key'
    )
  )::text AS answer`;

interface Check {
  transaction: string | null;
  user: string;
  database: string;
  isReadOnly: boolean;
  hasSchema: boolean;
  missing: string | null;
  maySequence: boolean | null;
}

/** Looks at the caller's transaction before anything is written. Returns its number, by which later statements know it again. */
export async function checkCaller(core: Core, tx: CallerRunner): Promise<string> {
  const { schema } = core.connections.target;
  const check = (await tx.ask<Check>(CHECK, [schema])) as Check;
  if (check.transaction === null || check.isReadOnly) {
    throw new AppError("transaction-unusable", "The transaction is read-only.", {
      hint: "Begin it with READ WRITE, on the primary server.",
    });
  }
  if (!check.hasSchema) throw otherDatabase(check.database, schema);
  if (check.missing !== null || check.maySequence !== true) {
    const missing = [check.missing, check.maySequence === true ? null : "job_key (USAGE)"].filter(
      (each) => each !== null,
    );
    throw new AppError(
      "transaction-unusable",
      `The user "${check.user}" of the transaction lacks rights in the schema "${schema}": ${missing.join(", ")}.`,
      { hint: `GRANT USAGE ON SCHEMA "${schema}", and these rights on its tables, to "${check.user}".` },
    );
  }
  return check.transaction;
}

export function otherDatabase(database: string | undefined, schema: string): AppError {
  const where =
    database === undefined ? "another database" : `the database "${database}", which does not hold this store`;
  return new AppError("transaction-unusable", `The transaction is on ${where}.`, {
    hint: `Begin it on the database of the store, where the schema "${schema}" is.`,
  });
}

export function noTransaction(): AppError {
  return new AppError("transaction-unusable", "No transaction is open on this connection.", {
    hint: "Pass the transaction that your library hands out, not the pool, or use millrace.transaction(pool, …).",
  });
}
