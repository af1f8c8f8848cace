import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, messageOf } from "../../../lib/app-error.ts";
import { migrate, requireSoundSqlite, schemaVersion } from "../migrations/migrate.ts";
import { DatabaseSync } from "./driver.ts";
import { createPrivately } from "./file-mode.ts";
import { dropEmptyArtifacts, refuseLoneArtifacts } from "./lone-artifacts.ts";
import type { WriteTurn } from "./write-turn.ts";

const OPEN_MS = 5_000;

export interface DatabaseOptions {
  path: string;
  durability: "full" | "normal";
}

/** SQLite's message about a failed open names neither the file nor what to check. */
export function namingTheFile<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("store-cannot-open", `Could not open ${path}: ${messageOf(error)}.`, {
      cause: error,
      hint: "Check that the path is a SQLite file or does not exist yet, and that its folder is writable.",
    });
  }
}

/** The writing connection: WAL, artifacts in a file of their own beside it, schema up to date. */
export function openDatabase(options: DatabaseOptions, turn: WriteTurn): DatabaseSync {
  const artifacts = artifactsPath(options.path);
  if (options.path !== ":memory:") {
    mkdirSync(dirname(options.path), { recursive: true });
    refuseLoneArtifacts(options.path, artifacts);
    for (const file of [options.path, artifacts]) createPrivately(file);
  }
  // Opening meets others who open, recover or clear away the WAL; from then on WriteTurn asks for the lock by itself.
  const db = new DatabaseSync(options.path, { timeout: OPEN_MS });
  try {
    requireSoundSqlite(db);
    db.prepare("ATTACH ? AS artifacts").run(artifacts);
    // Switching a new file to WAL needs a moment alone with it, and several processes may start at once.
    retryBusy(() => {
      for (const schema of ["main", "artifacts"]) {
        // Lets pruned pages go back to the disk. It has no effect once the first table exists.
        db.exec(`PRAGMA ${schema}.auto_vacuum = INCREMENTAL`);
        db.exec(`PRAGMA ${schema}.journal_mode = WAL`);
      }
    });
    for (const schema of ["main", "artifacts"]) {
      db.exec(`PRAGMA ${schema}.synchronous = ${options.durability === "full" ? "FULL" : "NORMAL"}`);
      db.exec(`PRAGMA ${schema}.cache_size = -65536`);
      // 16 MiB between checkpoints: pages written many times are copied once.
      db.exec(`PRAGMA ${schema}.wal_autocheckpoint = 4000`);
      db.exec(`PRAGMA ${schema}.journal_size_limit = 67108864`);
    }
    db.exec("PRAGMA temp_store = MEMORY");
    if (process.platform === "darwin") db.exec("PRAGMA fullfsync = ON");
    turn.begin(db, false);
    try {
      if (schemaVersion(db) === 0) dropEmptyArtifacts(db, options.path, artifacts);
      migrate(db);
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    } finally {
      turn.end();
    }
    db.exec("PRAGMA busy_timeout = 0");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A connection for lists and searches, beside the writer. */
export function openReader(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  // The attached file is read-only, as the main one is.
  db.prepare("ATTACH ? AS artifacts").run(artifactsPath(path));
  return db;
}

export function artifactsPath(path: string): string {
  if (path === ":memory:") return ":memory:";
  return /\.db$/.test(path) ? path.replace(/\.db$/, ".artifacts.db") : `${path}.artifacts`;
}

export function closeDatabase(db: DatabaseSync): void {
  try {
    db.exec("PRAGMA optimize");
  } catch {
    // Statistics are optional. A busy or full disk must not keep the file open.
  }
  db.close();
}

function retryBusy(work: () => void): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 0; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (attempt >= 2_000 || ((error as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw error;
      Atomics.wait(sleeper, 0, 0, 2);
    }
  }
}

/**
 * Runs in a copy. Processes that work on the original must not count as holders of the copy, or be asked to leave it.
 */
export const NOBODY_AT_WORK = "UPDATE instance SET place = NULL, expires_at = 1, draining = 1 WHERE expires_at > 0";
