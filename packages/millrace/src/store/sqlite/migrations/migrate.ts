import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../lib/app-error.ts";
import { newIdSecret } from "../../../lib/public-id.ts";
import { SUPPORTED } from "../../../lib/runtime/runtimes.ts";
import { NEWER_SCHEMA_HINT } from "../../decide/refusals.ts";
import { refuseOldProcesses } from "../register/old-processes.ts";
import { WORKFLOW } from "./0008-workflow.ts";
import { UNDO } from "./0009-undo.ts";
import { UNUSED_PLANS } from "./0010-unused-plans.ts";
import { DEADLINE } from "./0011-deadline.ts";
import { STREAMS } from "./0012-streams.ts";
import { CHILDREN } from "./0013-children.ts";
import { FOLLOWERS } from "./0015-followers.ts";
import { TENANT_LIMITS } from "./0016-tenant-limits.ts";
import { OUTBOX } from "./0017-outbox.ts";
import { LIMITER_BUDGETS } from "./0020-limiter-budgets.ts";
import { CONCURRENCY } from "./0021-concurrency.ts";
import { CAUSES } from "./0022-causes.ts";
import { LONG_WAITS } from "./0023-long-waits.ts";
import { WAITING_COUNTS } from "./0024-waiting.ts";
import { OPERATIONS } from "./0025-operations.ts";
import { EVENT_FIELDS } from "./0026-event-fields.ts";
import { JOBS } from "./base/0001-jobs.ts";
import { ACCESS } from "./base/0002-access.ts";
import { SHARED } from "./base/0003-shared.ts";
import { DEATHS } from "./base/0004-deaths.ts";
import { SESSIONS } from "./base/0005-sessions.ts";
import { addPlans } from "./base/0006-plans.ts";
import { RECORDS } from "./base/0007-records.ts";

export type Migration = string | ((db: DatabaseSync) => void);

/** Forward only; the number of a migration is its place here. */
export const MIGRATIONS: readonly Migration[] = [
  JOBS,
  ACCESS,
  SHARED,
  DEATHS,
  SESSIONS,
  addPlans,
  RECORDS,
  WORKFLOW,
  UNDO,
  UNUSED_PLANS,
  DEADLINE,
  STREAMS,
  CHILDREN,
  FOLLOWERS,
  TENANT_LIMITS,
  OUTBOX,
  LIMITER_BUDGETS,
  CONCURRENCY,
  CAUSES,
  LONG_WAITS,
  WAITING_COUNTS,
  OPERATIONS,
  EVENT_FIELDS,
];

/**
 * The newest migration that an older Millrace must know to use the file. Those after it only add, so that two versions can
 * run side by side: raise it only for a change that an older process would get wrong.
 */
const BREAKING = MIGRATIONS.indexOf(addPlans) + 1;

/** What `migrate` brings a file to. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Below it, two connections that write or checkpoint can corrupt a file (the WAL-reset race). */
export const MINIMUM_SQLITE = "3.51.3";

/** Runs inside a write transaction, so that of several starting processes one migrates and the others find it done. */
export function migrate(db: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  const version = schemaVersion(db);
  if (version > migrations.length && breakingVersion(db) > migrations.length) {
    throw new AppError(
      "schema-newer",
      `This file has schema ${version}; this version of Millrace supports schema ${migrations.length}.`,
      {
        hint: NEWER_SCHEMA_HINT,
      },
    );
  }
  if (version > 0) refuseMoved(db);
  if (version >= migrations.length) return;
  if (version === 0 && hasTables(db)) {
    throw new AppError("store-foreign", "This SQLite file belongs to another application.", {
      hint: "Give the path of a new file, or of a file that Millrace created.",
    });
  }
  if (version > 0 && version < BREAKING) refuseOldProcesses(db);
  for (const migration of migrations.slice(version)) {
    if (typeof migration === "string") db.exec(migration);
    else migration(db);
  }
  db.prepare(SET_BREAKING).run(String(BREAKING));
  if (version === 0) {
    db.prepare("INSERT INTO meta (name, value) VALUES ('id_secret', ?), ('next_job', '1')").run(newIdSecret());
  }
  db.exec(`PRAGMA user_version = ${migrations.length}`);
}

const GET_BREAKING = "SELECT value FROM meta WHERE name = 'schema_breaking'";
const SET_BREAKING = "INSERT OR REPLACE INTO meta (name, value) VALUES ('schema_breaking', ?)";

/** Files of version 0.1.0 name none: every schema broke the one before. */
function breakingVersion(db: DatabaseSync): number {
  if (!hasTables(db)) return Number.POSITIVE_INFINITY;
  const row = db.prepare(GET_BREAKING).get() as { value: string } | undefined;
  return row === undefined ? Number.POSITIVE_INFINITY : Number(row.value);
}

export function movedTo(db: DatabaseSync): string | undefined {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'moved_to'").get() as { value: string } | undefined;
  return row?.value;
}

/** What was moved must not be worked on twice. */
export function refuseMoved(db: DatabaseSync): void {
  const address = movedTo(db);
  if (address === undefined) return;
  throw new AppError("store-moved", `This file was moved to ${address}.`, {
    hint: "Unset JOB_DB_PATH and set DATABASE_URL to that address.",
  });
}

export function schemaVersion(db: DatabaseSync): number {
  return (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

function hasTables(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM main.sqlite_master LIMIT 1").get() !== undefined;
}

export function requireSoundSqlite(db: DatabaseSync): void {
  const { version } = db.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  if (compareVersions(version, MINIMUM_SQLITE) >= 0) return;
  throw new AppError("sqlite-too-old", `SQLite ${version} can corrupt a shared file; ${MINIMUM_SQLITE} is needed.`, {
    hint: `Use ${SUPPORTED}, which bring a newer one.`,
  });
}

export function compareVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
