import { AppError } from "../../lib/app-error.ts";
import { newIdSecret } from "../../lib/public-id.ts";
import type { Runner } from "./connection.ts";
import type { Pool } from "./connections.ts";
import { lockKey } from "./locks.ts";
import { JOBS } from "./migrations/0001-jobs.ts";
import { SHARED } from "./migrations/0002-shared.ts";
import { BUNDLES } from "./migrations/0003-bundles.ts";
import { STATISTICS } from "./migrations/0004-statistics.ts";
import { DEATHS } from "./migrations/0005-deaths.ts";
import { SESSIONS } from "./migrations/0006-sessions.ts";
import type { Target } from "./target.ts";

/**
 * Forward only; the number of a migration is its place here. `breaks`: a Millrace that does not know it must not run on
 * it. Those that only add leave the older ones running, so that machines can be updated one after another.
 */
const MIGRATIONS: readonly Migration[] = [
  { sql: JOBS, breaks: true },
  { sql: SHARED, breaks: true },
  // Who does not know of bundles would take their jobs a second time.
  { sql: BUNDLES, breaks: true },
  { sql: STATISTICS, breaks: false },
  // Older processes count a death that is nobody's fault, and no more than that.
  { sql: DEATHS, breaks: false },
  // Who does not know of tenants in the key of schedules could put none.
  { sql: SESSIONS, breaks: true },
];

export interface Migration {
  sql: string;
  breaks: boolean;
}

/** What `migrate` brings a database to. */
export const SCHEMA_VERSION = MIGRATIONS.length;
export const MINIMUM_SERVER = 160_000;
/** An index on a large table takes its time. */
const MIGRATE_MS = 600_000;

// Read from the catalogue itself. to_regclass answers from the session's memory, and one that had waited for the lock while another
// made the tables was told that there are none.
const HAS_SCHEMA = "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1) AS there";
const HAS_META = `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = $1 AND relname = 'meta') AS there`;
const STATE = `SELECT name, value FROM millrace.meta WHERE name IN ('schema', 'schema_breaking') AND $1::int = 1`;
const SET = `INSERT INTO millrace.meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const SERVER = "SELECT current_setting('server_version_num')::int AS number, $1::int AS one";

/** One of several starting processes migrates, under a lock; the others find it done. */
export async function migrate(db: Pool, target: Target, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const [server] = await db.run<{ number: number }>(SERVER, [1]);
  if ((server?.number ?? 0) < MINIMUM_SERVER) {
    throw new AppError("server-too-old", `PostgreSQL ${Math.floor((server?.number ?? 0) / 10_000)} is too old.`, {
      hint: "Millrace needs PostgreSQL 16 or newer.",
    });
  }
  if (await isCurrent(db, target, migrations)) return;
  await db.transact(
    async (tx) => {
      await tx.run("SELECT set_config('statement_timeout', $1, true)", [String(MIGRATE_MS)]);
      await tx.run("SELECT pg_advisory_xact_lock($1::bigint)", [lockKey(target.schema, "migrate")]);
      // Whoever waits for a lock holds up all who come behind it: better to fail here and try again at the next start.
      await tx.run("SELECT set_config('lock_timeout', $1, true)", ["3s"]);
      const version = await schemaVersion(tx, target);
      // IF NOT EXISTS asks for the right to make one even where it is there.
      if (version === 0 && !(await hasSchema(tx, target))) await tx.run(`CREATE SCHEMA "${target.schema}"`, []);
      for (const [i, migration] of migrations.entries()) {
        if (i >= version) await tx.run(migration.sql, []);
      }
      if (version === 0) await tx.run(SET, ["id_secret", newIdSecret()]);
      if (version >= migrations.length) return;
      const breaking = migrations.findLastIndex(({ breaks }) => breaks) + 1;
      await tx.run(SET, ["schema", String(migrations.length)]);
      await tx.run(SET, ["schema_breaking", String(breaking)]);
    },
    { limitMs: MIGRATE_MS },
  );
}

async function hasSchema(db: Runner, { schema }: Target): Promise<boolean> {
  const [row] = await db.run<{ there: boolean }>(HAS_SCHEMA, [schema]);
  return row?.there === true;
}

async function isCurrent(db: Runner, target: Target, migrations: readonly Migration[]): Promise<boolean> {
  const state = await schemaState(db, target);
  if (state === undefined) return false;
  if (state.breaking > migrations.length) {
    throw new AppError(
      "schema-newer",
      `This database has schema ${state.schema}, which needs a Millrace that knows ${state.breaking}; this one knows ${migrations.length}.`,
      { hint: "Start the newer version of Millrace again, or restore a backup made before it." },
    );
  }
  return state.schema >= migrations.length;
}

async function schemaVersion(db: Runner, target: Target): Promise<number> {
  return (await schemaState(db, target))?.schema ?? 0;
}

export async function schemaState(
  db: Runner,
  target: Target,
): Promise<{ schema: number; breaking: number } | undefined> {
  const [meta] = await db.run<{ there: boolean }>(HAS_META, [target.schema]);
  if (!meta?.there) return undefined;
  const rows = await db.run<{ name: string; value: string }>(STATE, [1]);
  const read = (name: string) => Number(rows.find((row) => row.name === name)?.value ?? 0);
  return { schema: read("schema"), breaking: read("schema_breaking") };
}
