import { AppError } from "../../../lib/app-error.ts";
import { lastWins } from "../../decide/join.ts";
import type { Submission } from "../../verbs/submission.ts";
import { texts } from "../connection/arrays.ts";
import type { CallerRunner } from "../connection/caller-runner.ts";
import type { Core } from "../core.ts";

/** What a transaction needs of each table and sequence that it uses. */
export type Rights = Readonly<Record<string, string>>;

/** A statement with RETURNING reads the table that it writes. */
const SUBMIT_RIGHTS: Rights = {
  job: "SELECT,INSERT",
  bundle: "SELECT",
  unique_key: "SELECT,INSERT",
  idempotency: "SELECT,INSERT,UPDATE",
  meta: "SELECT",
  joined: "SELECT,INSERT",
  window_caller: "SELECT,INSERT",
  window_entry: "SELECT",
  job_key: "USAGE",
};
const SEQUENCES = new Set(["job_key"]);
/**
 * The rights that the submission needs. A user of an older release may lack rights that the submission does not use.
 */
export function rightsFor({ jobs }: Submission): Rights {
  const follows = jobs.some(lastWins);
  const throttles = jobs.some(({ throttle }) => throttle !== undefined);
  return {
    ...SUBMIT_RIGHTS,
    ...(follows && { follower_caller: "SELECT,INSERT" }),
    ...(throttles && { throttle: "SELECT,INSERT,UPDATE" }),
  };
}

export const SIGNAL_RIGHTS: Rights = {
  job: "SELECT",
  unique_key: "SELECT",
  meta: "SELECT",
  signal_caller: "SELECT,INSERT",
  signal: "SELECT,INSERT",
};

/** The statements that only say whether all is well, by the rights that they ask for. */
const QUICK_CHECKS = new Map<string, string>();

/**
 * The number of a transaction in which all is well, or NULL. It asks functions alone, which the server plans in a tenth of
 * the time of `CHECK`. The tables are looked up only where the user may look into the schema, because the look-up fails otherwise.
 */
export function quickCheckOf(rights: Rights): string {
  const name = JSON.stringify(rights);
  let statement = QUICK_CHECKS.get(name);
  if (statement === undefined) {
    const hasAll = Object.entries(rights).flatMap(([relation, wanted]) => {
      const kind = SEQUENCES.has(relation) ? "sequence" : "table";
      return wanted
        .split(",")
        .map((right) => `has_${kind}_privilege(to_regclass('millrace.${relation}')::oid, '${right}')`);
    });
    statement = `SELECT CASE
        WHEN pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' THEN NULL
        WHEN NOT coalesce(has_schema_privilege(to_regnamespace($1::text)::oid, 'USAGE'), false) THEN NULL
        WHEN ${hasAll.join("\n          AND ")} THEN to_json(pg_current_xact_id()::text)::text
      END AS answer`;
    QUICK_CHECKS.set(name, statement);
  }
  return statement;
}

// Finds out what is wrong. It must not fail, whatever it finds, because a statement that fails aborts the caller's
// transaction. So it reads the catalog of the server and names no table of ours.
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
      FROM unnest($2::text[], $3::text[]) AS wanted (name, rights)
      JOIN pg_namespace ON nspname = $1::text
      LEFT JOIN pg_class ON relnamespace = pg_namespace.oid AND relname = wanted.name
      WHERE NOT has_schema_privilege(pg_namespace.oid, 'USAGE') OR pg_class.oid IS NULL
        OR EXISTS (
          SELECT 1 FROM unnest(string_to_array(wanted.rights, ',')) AS each_right
          WHERE NOT CASE WHEN pg_class.relkind = 'S' THEN has_sequence_privilege(pg_class.oid, each_right)
            ELSE has_table_privilege(pg_class.oid, each_right) END
        )
    )
  )::text AS answer`;

interface Check {
  transaction: string | null;
  user: string;
  database: string;
  isReadOnly: boolean;
  hasSchema: boolean;
  missing: string | null;
}

/**
 * Looks at the caller's transaction before anything is written. Returns its number, by which later statements recognise
 * it.
 */
export async function checkCaller(core: Core, tx: CallerRunner, rights: Rights): Promise<string> {
  const transaction = await tx.ask<string>(quickCheckOf(rights), [core.connections.target.schema]);
  return transaction ?? explainCaller(core, tx, rights);
}

/** Says what is wrong with a transaction that the quick check did not accept. */
export async function explainCaller(core: Core, tx: CallerRunner, rights: Rights): Promise<string> {
  const { schema } = core.connections.target;
  const values = [schema, texts(Object.keys(rights)), texts(Object.values(rights))];
  const check = (await tx.ask<Check>(CHECK, values)) as Check;
  if (check.transaction === null || check.isReadOnly) {
    throw new AppError("transaction-unusable", "The transaction is read-only.", {
      hint: "Begin it with READ WRITE, on the primary server.",
    });
  }
  if (!check.hasSchema) throw otherDatabase(check.database, schema);
  if (check.missing !== null) {
    throw new AppError(
      "transaction-unusable",
      `The user "${check.user}" of the transaction lacks rights in the schema "${schema}": ${check.missing}.`,
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
