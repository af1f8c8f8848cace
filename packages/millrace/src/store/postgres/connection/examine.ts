// A look at a database without opening a store on it: nothing is registered, migrated or written.

import { randomBytes } from "node:crypto";
import { AppError } from "../../../lib/app-error.ts";
import { NAMED_UNSEALED, type UnsealedBatches, unsealedBatches, unsealedBefore } from "../../decide/batches.ts";
import { behindBefore, type WorkflowReport } from "../../decide/workflow-report.ts";
import { JOBS } from "../migrations/base/0001-jobs.ts";
import { SHARED } from "../migrations/base/0002-shared.ts";
import { foreignSchema, MINIMUM_SERVER, SCHEMA_VERSION, schemaState } from "../migrations/migrate.ts";
import { PostgresConnection, type StatementRunner } from "./connection.ts";
import { ConnectionPool } from "./connections.ts";
import { toAppError } from "./errors.ts";
import { DatabaseTarget } from "./target.ts";

export interface DatabaseReport {
  shown: string;
  server: string;
  soundServer: boolean;
  schemaName: string;
  /** The version of the schema. Missing: there is none yet. */
  schema: number | undefined;
  breaking: number;
  knownSchema: number;
  /** Why our tables cannot be made there. */
  foreign: AppError | undefined;
  missingIndexes: string[];
  /** What this user may not do, in words. */
  missingRights: string[];
  pooler: "none" | "transaction";
  /** Whether the address says that there is a pooler. */
  poolerSaid: boolean;
  /** Whether notifications arrive. If not, work is found by polling. */
  heard: boolean;
  settings: { fsync: boolean; synchronousCommit: string; autovacuum: boolean; trackCounts: boolean };
  deadRows: { table: string; dead: number; live: number }[];
  oldestTransaction: { pid: number; seconds: number } | undefined;
  connections: { used: number; most: number };
  /** The server's clock minus this machine's. */
  clockOffMs: number;
  bytes: number;
  /** Missing: the schema is not that of this version, or this user may not read it. */
  unsealed: UnsealedBatches | undefined;
  workflow: WorkflowReport | undefined;
}

const SERVER = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
  current_setting('fsync') = 'on' AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('autovacuum') = 'on' AS autovacuum, current_setting('track_counts') = 'on' AS track_counts,
  current_setting('max_connections')::int AS most, (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, has_database_privilege(current_database(), 'CREATE') AS may_create`;
const INDEXES = `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND indisvalid AND indisready`;
const RIGHTS = `SELECT relname AS name, CASE WHEN relkind = 'S' THEN has_sequence_privilege(pg_class.oid, 'USAGE')
    WHEN relkind = 'v' THEN has_table_privilege(pg_class.oid, 'SELECT')
    ELSE has_table_privilege(pg_class.oid, 'SELECT') AND has_table_privilege(pg_class.oid, 'INSERT')
      AND has_table_privilege(pg_class.oid, 'UPDATE') AND has_table_privilege(pg_class.oid, 'DELETE') END AS may
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind IN ('r', 'S', 'v')`;
const MAY_FILL = "SELECT has_schema_privilege(oid, 'CREATE') AS may FROM pg_namespace WHERE nspname = $1";
const DEAD_ROWS = `SELECT relname AS table, n_dead_tup::bigint AS dead, n_live_tup::bigint AS live FROM pg_stat_user_tables
  WHERE schemaname = $1 AND n_dead_tup > 50000 AND n_dead_tup > n_live_tup ORDER BY n_dead_tup DESC`;
const OLDEST = `SELECT pid, floor(extract(epoch FROM clock_timestamp() - xact_start))::int AS seconds FROM pg_stat_activity
  WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid() AND datname = current_database() AND $1::int = 1
  ORDER BY xact_start LIMIT 1`;
const SIZE = `SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint AS bytes FROM pg_class
  JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind = 'r'`;

const ID_SECRET = "SELECT value FROM millrace.meta WHERE name = 'id_secret'";
const UNSEALED = `SELECT id, count(*) OVER ()::int AS count FROM millrace.batch
  WHERE sealed_at IS NULL AND cancelled_at IS NULL AND created_at < $1 ORDER BY id LIMIT $2`;

interface ServerRow {
  version: string;
  number: number;
  fsync: boolean;
  synchronous_commit: string;
  autovacuum: boolean;
  track_counts: boolean;
  most: number;
  used: number;
  now: number;
  may_create: boolean;
}

/** The schema of a database and the one that this version brings it to. 0 means that there is none yet. */
export async function databaseSchema(url: string): Promise<{ schema: number; known: number; shown: string }> {
  const target = new DatabaseTarget(url);
  const db = new ConnectionPool(target, { most: 1, limitMs: 10_000, name: "millrace migrate" });
  try {
    const state = await schemaState(db, target);
    return { schema: state?.schema ?? 0, known: SCHEMA_VERSION, shown: target.shown };
  } catch (error) {
    throw error instanceof AppError ? error : toAppError(error);
  } finally {
    await db.close();
  }
}

export async function examine(url: string): Promise<DatabaseReport> {
  const target = new DatabaseTarget(url);
  const db = new ConnectionPool(target, { most: 1, limitMs: 10_000, name: "millrace doctor" });
  try {
    const askedAt = Date.now();
    const [row] = await db.run<ServerRow>(SERVER, []);
    const server = row as ServerRow;
    const state = await schemaState(db, target);
    const { schema: schemaName } = target;
    const [oldest] = await db.run<{ pid: number; seconds: number }>(OLDEST, [1]);
    const [size] = await db.run<{ bytes: number }>(SIZE, [schemaName]);
    const missing = await missingRights(db, schemaName, state !== undefined, server.may_create);
    const isWhole = state?.schema === SCHEMA_VERSION && missing.length === 0;
    return {
      shown: target.shown,
      server: server.version.split(" ")[0] as string,
      soundServer: server.number >= MINIMUM_SERVER,
      schemaName,
      schema: state?.schema,
      breaking: state?.breaking ?? 0,
      knownSchema: SCHEMA_VERSION,
      foreign: state ? undefined : await foreignSchema(db, target),
      missingIndexes: state ? await missingIndexes(db, schemaName) : [],
      missingRights: missing,
      ...(await probe(target)),
      poolerSaid: !target.prepare,
      settings: {
        fsync: server.fsync,
        synchronousCommit: server.synchronous_commit,
        autovacuum: server.autovacuum,
        trackCounts: server.track_counts,
      },
      deadRows: await db.run(DEAD_ROWS, [schemaName]),
      oldestTransaction: oldest,
      connections: { used: server.used, most: server.most },
      clockOffMs: server.now - (askedAt + Date.now()) / 2,
      bytes: size?.bytes ?? 0,
      unsealed: isWhole ? await unsealed(db, server.now) : undefined,
      workflow: isWhole ? await workflowReport(db, server.now) : undefined,
    };
  } catch (error) {
    throw error instanceof AppError ? error : toAppError(error);
  } finally {
    await db.close();
  }
}

async function missingIndexes(db: StatementRunner, schema: string): Promise<string[]> {
  const there = new Set((await db.run<{ name: string }>(INDEXES, [schema])).map(({ name }) => name));
  const wanted = [...`${JOBS}${SHARED}`.matchAll(/CREATE (?:UNIQUE )?INDEX (\w+)/g)].map(([, name]) => name as string);
  return wanted.filter((name) => !there.has(name));
}

async function missingRights(
  db: StatementRunner,
  schema: string,
  there: boolean,
  mayCreate: boolean,
): Promise<string[]> {
  if (!there) {
    const [own] = await db.run<{ may: boolean }>(MAY_FILL, [schema]);
    if (own) return own.may ? [] : [`create tables in the schema "${schema}"`];
    return mayCreate ? [] : [`create the schema "${schema}"`];
  }
  const rows = await db.run<{ name: string; may: boolean }>(RIGHTS, [schema]);
  return rows.filter(({ may }) => !may).map(({ name }) => `use ${schema}.${name}`);
}

async function unsealed(db: StatementRunner, now: number): Promise<UnsealedBatches> {
  const [secret] = await db.run<{ value: string }>(ID_SECRET, []);
  const rows = await db.run<{ id: number; count: number }>(UNSEALED, [unsealedBefore(now), NAMED_UNSEALED]);
  return unsealedBatches(rows, (secret as { value: string }).value);
}

const MOST_EVENTS = `SELECT tenant.name AS tenant, kept.count
  FROM (SELECT tenant, count(*)::int AS count FROM millrace.event GROUP BY tenant ORDER BY count DESC LIMIT 1) AS kept
  JOIN millrace.tenant ON tenant.id = kept.tenant`;
const LEFT_BEHIND = "SELECT count(*)::int AS count FROM millrace.left_work WHERE at < $1";

async function workflowReport(db: StatementRunner, now: number): Promise<WorkflowReport> {
  const [mostEvents] = await db.run<{ tenant: string; count: number }>(MOST_EVENTS, []);
  const [left] = await db.run<{ count: number }>(LEFT_BEHIND, [behindBefore(now)]);
  return { leftBehind: left?.count ?? 0, ...(mostEvents && { mostEvents }) };
}

const HEAR_MS = 1_000;

/**
 * Without a pooler, a session keeps its server process for itself. If the server process that we just used serves
 * another transaction, a transaction pooler is in front, and the result of LISTEN is chance.
 */
async function probe(target: DatabaseTarget): Promise<{ pooler: "none" | "transaction"; heard: boolean }> {
  const open = () => PostgresConnection.open({ url: target.url, session: {}, prepare: false });
  const [a, b] = [await open(), await open()];
  try {
    const pid = async (connection: PostgresConnection) =>
      (await connection.run<{ pid: number }>("SELECT pg_backend_pid() AS pid"))[0]?.pid;
    const first = await pid(a);
    await b.run("BEGIN");
    const second = await pid(b);
    await b.run("COMMIT");
    if (first === second) return { pooler: "transaction", heard: false };
    const channel = `millrace_probe_${randomBytes(6).toString("hex")}`;
    const heard = Promise.withResolvers<boolean>();
    const late = setTimeout(() => heard.resolve(false), HEAR_MS);
    await a.listen(channel, () => heard.resolve(true));
    await b.run(`NOTIFY ${channel}`);
    const arrived = await heard.promise;
    clearTimeout(late);
    return { pooler: "none", heard: arrived };
  } finally {
    await Promise.all([a.close(), b.close()]);
  }
}
