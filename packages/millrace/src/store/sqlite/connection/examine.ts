// A look at a file, and a copy of it, without opening a store: nothing is registered, migrated or written.

import { closeSync, existsSync, fsyncSync, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { AppError } from "../../../lib/app-error.ts";
import { NAMED_UNSEALED, type UnsealedBatches, unsealedBatches, unsealedBefore } from "../../decide/batches.ts";
import { behindBefore, type WorkflowReport } from "../../decide/workflow-report.ts";
import { compareVersions, MINIMUM_SQLITE, movedTo, SCHEMA_VERSION, schemaVersion } from "../migrations/migrate.ts";
import { backup } from "../upkeep/backup.ts";
import { artifactsPath, openReader } from "./database.ts";
import { DatabaseSync } from "./driver.ts";
import { readableByAll } from "./file-mode.ts";

export interface SqliteReport {
  version: string;
  needed: string;
  sound: boolean;
}

/** The SQLite that this runtime brings. */
export function inspectSqlite(): SqliteReport {
  const db = new DatabaseSync(":memory:");
  const { version } = db.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  db.close();
  return { version, needed: MINIMUM_SQLITE, sound: compareVersions(version, MINIMUM_SQLITE) >= 0 };
}

/** The schema of a file and the one that this version brings it to. 0: the file is missing or empty. */
export function fileSchema(path: string): { schema: number; known: number; shown: string } {
  const shown = resolve(path);
  if (!existsSync(path)) return { schema: 0, known: SCHEMA_VERSION, shown };
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return { schema: schemaVersion(db), known: SCHEMA_VERSION, shown };
  } finally {
    db.close();
  }
}

export interface FileReport {
  schema: number;
  knownSchema: number;
  journal: string;
  /** The problems that SQLite's own check found. */
  damage: string[];
  databaseBytes: number;
  walBytes: number;
  artifacts: boolean;
  /** The latest time that stands in the file. */
  newestAt: number | undefined;
  /** Its files that every user of the machine can read. */
  readableByAll: string[];
  /** Where its jobs are now. */
  movedTo: string | undefined;
  /** Missing: the schema is not that of this version. */
  unsealed: UnsealedBatches | undefined;
  /** Missing: the schema is not that of this version. */
  workflow: WorkflowReport | undefined;
}

export function inspectFile(path: string, now: number): FileReport {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const schema = schemaVersion(db);
    const { journal_mode } = db.prepare("PRAGMA journal_mode").get() as { journal_mode: string };
    const found = db.prepare("PRAGMA quick_check(5)").all() as { quick_check: string }[];
    return {
      schema,
      knownSchema: SCHEMA_VERSION,
      journal: journal_mode,
      damage: found.map((row) => row.quick_check).filter((line) => line !== "ok"),
      databaseBytes: sizeOf(path),
      walBytes: sizeOf(`${path}-wal`),
      artifacts: existsSync(artifactsPath(path)),
      newestAt: schema === 0 ? undefined : newestAt(db),
      readableByAll: readableByAll(filesOf(path)),
      movedTo: schema === 0 ? undefined : movedTo(db),
      unsealed: schema === SCHEMA_VERSION ? unsealed(db, now) : undefined,
      workflow: schema === SCHEMA_VERSION ? workflowReport(db, now) : undefined,
    };
  } finally {
    db.close();
  }
}

/** Copies a file, also while others write to it, and returns the names of the copies once they are on the disk. */
export function backupFile(path: string, target: string): string[] {
  if (!existsSync(path)) throw new AppError("file-missing", `There is no file ${path}.`, { hint: "Set JOB_DB_PATH." });
  const db = openReader(path);
  try {
    backup({ db }, target);
  } finally {
    db.close();
  }
  const copies = filesOf(target);
  for (const copy of copies) flush(copy);
  return copies;
}

/** All that belongs to a file of this name. */
export function filesOf(path: string): string[] {
  return [path, artifactsPath(path)];
}

// The newest job by its key, which grows: the whole table need not be read.
const NEWEST_JOB = "SELECT created_at FROM job ORDER BY id DESC LIMIT 1";

function newestAt(db: DatabaseSync): number | undefined {
  return (db.prepare(NEWEST_JOB).get() as { created_at: number } | undefined)?.created_at;
}

const ID_SECRET = "SELECT value FROM meta WHERE name = 'id_secret'";
const UNSEALED = `SELECT id, count(*) OVER () AS count FROM batch
  WHERE sealed_at IS NULL AND cancelled_at IS NULL AND created_at < ? ORDER BY id LIMIT ?`;

function unsealed(db: DatabaseSync, now: number): UnsealedBatches {
  const { value } = db.prepare(ID_SECRET).get() as { value: string };
  const rows = db.prepare(UNSEALED).all(unsealedBefore(now), NAMED_UNSEALED) as { id: number; count: number }[];
  return unsealedBatches(rows, value);
}

const MOST_EVENTS = `SELECT tenant.name AS tenant, count(*) AS count
  FROM event JOIN tenant ON tenant.id = event.tenant
  GROUP BY event.tenant ORDER BY count DESC LIMIT 1`;
const LEFT_BEHIND = "SELECT count(*) AS count FROM left_work WHERE at < ?";

function workflowReport(db: DatabaseSync, now: number): WorkflowReport {
  const events = db.prepare(MOST_EVENTS).get() as { tenant: string; count: number } | undefined;
  const { count } = db.prepare(LEFT_BEHIND).get(behindBefore(now)) as { count: number };
  return { leftBehind: count, ...(events && { mostEvents: { tenant: events.tenant, count: events.count } }) };
}

function flush(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
