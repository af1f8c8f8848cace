import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../../lib/app-error.ts";
import { newIdSecret } from "../../../lib/public-id.ts";
import { NEWER_SCHEMA_HINT } from "../../decide/refusals.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { codeOfError } from "../connection/errors.ts";
import { lockKey } from "../connection/locks.ts";
import type { DatabaseTarget } from "../connection/target.ts";
import { refuseOldProcesses } from "../register/old-processes.ts";
import { WORKFLOW } from "./0009-workflow.ts";
import { UNDO } from "./0010-undo.ts";
import { UNUSED_PLANS } from "./0011-unused-plans.ts";
import { WITHIN } from "./0012-within.ts";
import { DEADLINE, DEADLINE_INDEX } from "./0013-deadline.ts";
import { STREAMS } from "./0014-streams.ts";
import { SQL_SUBMIT } from "./0015-sql-submit.ts";
import { CHILDREN } from "./0016-children.ts";
import { SIGNAL_WITHIN } from "./0017-signal-within.ts";
import { FOLLOWERS } from "./0019-followers.ts";
import { TENANT_LIMITS } from "./0020-tenant-limits.ts";
import { OUTBOX } from "./0021-outbox.ts";
import { LIMITER_BUDGETS } from "./0024-limiter-budgets.ts";
import { CONCURRENCY, HOLDING_INDEX, KEYED_INDEX } from "./0025-concurrency.ts";
import { CAUSE_INDEX, CAUSES } from "./0026-causes.ts";
import { LONG_WAITS_INDEX } from "./0027-long-waits.ts";
import { OPERATIONS } from "./0028-operations.ts";
import { SQL_SUBMIT_CHECKED } from "./0029-sql-submit.ts";
import { EVENT_FIELDS, PUBLISHED_INDEX, UNFILED_INDEX } from "./0030-event-fields.ts";
import { JOBS } from "./base/0001-jobs.ts";
import { SHARED } from "./base/0002-shared.ts";
import { BUNDLES } from "./base/0003-bundles.ts";
import { STATISTICS } from "./base/0004-statistics.ts";
import { DEATHS } from "./base/0005-deaths.ts";
import { SESSIONS } from "./base/0006-sessions.ts";
import { addPlans } from "./base/0007-plans.ts";
import { RECORDS } from "./base/0008-records.ts";

/**
 * Forward only; the number of a migration is its place here. `breaks`: a Millrace that does not know it must not run on
 * it. From the plans on they only add, so that two versions run side by side.
 */
export const MIGRATIONS: readonly Migration[] = [
  { sql: JOBS, breaks: true },
  { sql: SHARED, breaks: true },
  // Who does not know of bundles would take their jobs a second time.
  { sql: BUNDLES, breaks: true },
  { sql: STATISTICS, breaks: false },
  // Older processes count a death that is nobody's fault, and no more than that.
  { sql: DEATHS, breaks: false },
  // Who does not know of tenants in the key of schedules could put none.
  { sql: SESSIONS, breaks: true },
  // Version 0.1.0 would rewrite the links between stages.
  { run: plansAlone, breaks: true },
  { sql: RECORDS, breaks: false },
  { sql: WORKFLOW, breaks: false },
  { sql: UNDO, breaks: false },
  { sql: UNUSED_PLANS, breaks: false },
  { sql: WITHIN, breaks: false },
  { sql: DEADLINE, breaks: false },
  { index: DEADLINE_INDEX, breaks: false },
  { sql: STREAMS, breaks: false },
  { sql: SQL_SUBMIT, breaks: false },
  { sql: CHILDREN, breaks: false },
  { sql: SIGNAL_WITHIN, breaks: false },
  { sql: FOLLOWERS, breaks: false },
  { sql: TENANT_LIMITS, breaks: false },
  { sql: OUTBOX, breaks: false },
  { sql: LIMITER_BUDGETS, breaks: false },
  { sql: CONCURRENCY, breaks: false },
  { index: KEYED_INDEX, breaks: false },
  { index: HOLDING_INDEX, breaks: false },
  { sql: CAUSES, breaks: false },
  { index: CAUSE_INDEX, breaks: false },
  { index: LONG_WAITS_INDEX, breaks: false },
  { sql: OPERATIONS, breaks: false },
  { sql: SQL_SUBMIT_CHECKED, breaks: false },
  { sql: EVENT_FIELDS, breaks: false },
  { index: PUBLISHED_INDEX, breaks: false },
  { index: UNFILED_INDEX, breaks: false },
];

/**
 * A step is a transaction of its own, so no lock is held for longer than its own statements take. An index on a large table is
 * made beside its readers and writers, a backfill in batches: `statement` is run again until it changes no row.
 */
export type Migration = { breaks: boolean } & (
  | { sql: string }
  | { run(tx: StatementRunner): Promise<void> }
  | { index: { name: string; on: string } }
  | { backfill: string }
);

async function plansAlone(tx: StatementRunner): Promise<void> {
  await refuseOldProcesses(tx);
  await addPlans(tx);
}

/** What `migrate` brings a database to. */
export const SCHEMA_VERSION = MIGRATIONS.length;
export const MINIMUM_SERVER = 160_000;
/** An index on a large table takes its time. */
const MIGRATE_MS = 600_000;
/** The longest that other statements wait behind a migration. It then lets them pass and tries again. */
const LOCK_MS = 500;
const LOCK_PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = "55P03";

// Read from the catalogue itself. to_regclass answers from the session's memory, and one that had waited for the lock while another
// made the tables was told that there are none.
const HAS_SCHEMA = "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS there";
const HAS_META = `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = $1 AND relname = 'meta'
    AND 2 = (SELECT count(*) FROM pg_catalog.pg_attribute WHERE attrelid = pg_class.oid AND attname IN ('name', 'value'))) AS there`;
const TABLES = `SELECT relname AS name FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname LIMIT 4`;
const STATE = `SELECT name, value FROM millrace.meta WHERE name IN ('schema', 'schema_breaking') AND $1::int = 1`;
const SET = `INSERT INTO millrace.meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const FIND_INDEX = `SELECT indisvalid AS valid FROM pg_catalog.pg_index JOIN pg_catalog.pg_class ON pg_class.oid = indexrelid
  JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = $2`;
const SERVER = "SELECT current_setting('server_version_num')::int AS number, $1::int AS one";

/** One of several starting processes migrates, under a lock; the others find it done. */
export async function migrate(
  db: ConnectionPool,
  target: DatabaseTarget,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const [server] = await db.run<{ number: number }>(SERVER, [1]);
  if ((server?.number ?? 0) < MINIMUM_SERVER) {
    throw new AppError("server-too-old", `PostgreSQL ${Math.floor((server?.number ?? 0) / 10_000)} is too old.`, {
      hint: "Millrace needs PostgreSQL 16 or newer.",
    });
  }
  if (await isCurrent(db, target, migrations)) return;
  for (const [i, migration] of migrations.entries()) {
    if ("index" in migration) await makeIndex(target, migration.index);
    if ("backfill" in migration) while ((await db.run(migration.backfill, [])).length > 0);
    await untilLocked(() => db.transact((tx) => step(tx, target, { migrations, i }), { limitMs: MIGRATE_MS }));
  }
}

interface Step {
  migrations: readonly Migration[];
  i: number;
}

async function step(tx: StatementRunner, target: DatabaseTarget, { migrations, i }: Step): Promise<void> {
  await tx.run("SELECT set_config('statement_timeout', $1, true)", [String(MIGRATE_MS)]);
  await tx.run("SELECT pg_advisory_xact_lock($1::bigint)", [lockKey(target.schema, "migrate")]);
  // A statement that waits for a lock blocks all statements behind it, so a migration gives up early and tries again.
  await tx.run("SELECT set_config('lock_timeout', $1, true)", [`${LOCK_MS}ms`]);
  const version = await schemaVersion(tx, target);
  if (version > i) return;
  if (version === 0) await refuseForeign(tx, target);
  // IF NOT EXISTS asks for the right to make one even where it is there.
  if (version === 0 && !(await hasSchema(tx, target))) await tx.run(`CREATE SCHEMA "${target.schema}"`, []);
  const migration = migrations[i] as Migration;
  if ("sql" in migration) await tx.run(migration.sql, []);
  if ("run" in migration) await migration.run(tx);
  if (version === 0) await tx.run(SET, ["id_secret", newIdSecret()]);
  await tx.run(SET, ["schema", String(i + 1)]);
  const breaking = migrations.slice(0, i + 1).findLastIndex(({ breaks }) => breaks) + 1;
  await tx.run(SET, ["schema_breaking", String(breaking)]);
}

/**
 * Makes an index beside readers and writers, outside of a transaction. One process at a time: another one would take the index that
 * is under way for one that was left half made.
 */
async function makeIndex(target: DatabaseTarget, { name, on }: { name: string; on: string }): Promise<void> {
  const db = new ConnectionPool(target, { most: 1, limitMs: MIGRATE_MS, name: "millrace migrate", prepare: false });
  try {
    await lockSession(db, lockKey(target.schema, `index ${name}`));
    const [found] = await db.run<{ valid: boolean }>(FIND_INDEX, [target.schema, name]);
    if (found?.valid) return;
    if (found) await db.run(`DROP INDEX CONCURRENTLY IF EXISTS millrace.${name}`);
    await db.run(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
  } finally {
    await db.close();
  }
}

/** Asks again and again: an index is not finished while a statement that began before it, such as a wait for a lock, still runs. */
async function lockSession(db: ConnectionPool, key: string): Promise<void> {
  for (;;) {
    const [lock] = await db.run<{ held: boolean }>("SELECT pg_try_advisory_lock($1::bigint) AS held", [key]);
    if (lock?.held) return;
    await delay(LOCK_PAUSE_MS);
  }
}

async function untilLocked(work: () => Promise<void>): Promise<void> {
  const until = Date.now() + MIGRATE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { cause } = error as Error;
      if (codeOfError(cause ?? error) !== LOCK_NOT_AVAILABLE || Date.now() > until) throw error;
      await delay(LOCK_PAUSE_MS);
    }
  }
}

/** What is wrong with putting our tables into this schema. A database that has them in "public" from before keeps working. */
export async function foreignSchema(db: StatementRunner, { schema }: DatabaseTarget): Promise<AppError | undefined> {
  const hint = `Remove schema=${schema} from DATABASE_URL: Millrace then uses the schema "millrace". Or name one of its own.`;
  if (schema === "public") {
    return new AppError("store-foreign", 'Millrace does not put its tables into the schema "public".', { hint });
  }
  const tables = (await db.run<{ name: string }>(TABLES, [schema])).map(({ name }) => name);
  if (tables.length === 0) return undefined;
  const names = `${tables.slice(0, 3).join(", ")}${tables.length > 3 ? " …" : ""}`;
  return new AppError("store-foreign", `The schema "${schema}" holds tables of another application: ${names}.`, {
    hint,
  });
}

async function refuseForeign(db: StatementRunner, target: DatabaseTarget): Promise<void> {
  const wrong = await foreignSchema(db, target);
  if (wrong) throw wrong;
}

async function hasSchema(db: StatementRunner, { schema }: DatabaseTarget): Promise<boolean> {
  const [row] = await db.run<{ there: boolean }>(HAS_SCHEMA, [schema]);
  return row?.there === true;
}

async function isCurrent(
  db: StatementRunner,
  target: DatabaseTarget,
  migrations: readonly Migration[],
): Promise<boolean> {
  const state = await schemaState(db, target);
  if (state === undefined) return false;
  if (state.breaking > migrations.length) {
    throw new AppError(
      "schema-newer",
      `This database has schema ${state.schema}, which needs a version of Millrace that supports schema ${state.breaking}; this one supports ${migrations.length}.`,
      { hint: NEWER_SCHEMA_HINT },
    );
  }
  return state.schema >= migrations.length;
}

async function schemaVersion(db: StatementRunner, target: DatabaseTarget): Promise<number> {
  return (await schemaState(db, target))?.schema ?? 0;
}

export async function schemaState(
  db: StatementRunner,
  target: DatabaseTarget,
): Promise<{ schema: number; breaking: number } | undefined> {
  const [meta] = await db.run<{ there: boolean }>(HAS_META, [target.schema]);
  if (!meta?.there) return undefined;
  const rows = await db.run<{ name: string; value: string }>(STATE, [1]);
  const read = (name: string) => Number(rows.find((row) => row.name === name)?.value ?? 0);
  return { schema: read("schema"), breaking: read("schema_breaking") };
}
