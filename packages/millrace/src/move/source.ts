// The file that moves. No other process may write to it during the move: living processes get a signal to
// stop, and the lock of the file is held.

import { AppError } from "../lib/app-error.ts";
import { isGone } from "../lib/runtime/process-identity.ts";
import { RUNNING } from "../store/codes.ts";
import { artifactsPath } from "../store/sqlite/connection/database.ts";
import { DatabaseSync } from "../store/sqlite/connection/driver.ts";
import { refuseMoved, SCHEMA_VERSION, schemaVersion } from "../store/sqlite/migrations/migrate.ts";
import type { MoveProgress } from "./move.ts";

export interface Source {
  db: DatabaseSync;
  markMoved(to: string): void;
  close(): void;
}

const LIVE = "SELECT name, place, expires_at FROM instance WHERE expires_at > 0";
const COUNT_RUNNING = `SELECT count(*) AS count FROM job WHERE standing = ${RUNNING}`;
const MARK = "INSERT OR REPLACE INTO meta (name, value) VALUES ('moved_to', ?)";
const DRAIN_MS = 120_000;
const LOOK_EVERY_MS = 200;

export async function openSource(
  path: string,
  options: { drain: boolean; progress: ((state: MoveProgress) => void) | undefined },
): Promise<Source> {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    const version = schemaVersion(db);
    if (version !== SCHEMA_VERSION) {
      throw new AppError("schema-other", `This file has schema ${version}; a move needs ${SCHEMA_VERSION}.`, {
        hint:
          version < SCHEMA_VERSION
            ? "Run millrace migrate on the file first."
            : "Move with the newer version of Millrace.",
      });
    }
    refuseMoved(db);
    db.prepare("ATTACH ? AS artifacts").run(artifactsPath(path));
    await drained(db, options);
    // The lock is held until the end. A process that starts on the file waits, and then finds that the file has moved.
    db.exec("BEGIN IMMEDIATE");
    refuseMoved(db); // Another move has done it while this one waited.
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    db,
    markMoved(to) {
      db.prepare(MARK).run(to);
      db.exec("COMMIT");
    },
    close() {
      if (db.isTransaction) db.exec("ROLLBACK");
      db.close();
    },
  };
}

interface LivingProcess {
  name: string;
  place: string | null;
  expires_at: number;
}

function living(db: DatabaseSync): LivingProcess[] {
  const now = Date.now();
  return (db.prepare(LIVE).all() as unknown as LivingProcess[]).filter(({ place, expires_at }) =>
    place === null ? expires_at > now : !isGone(place),
  );
}

async function drained(
  db: DatabaseSync,
  { drain, progress }: { drain: boolean; progress: ((state: MoveProgress) => void) | undefined },
): Promise<void> {
  let left = living(db);
  if (left.length === 0) return;
  if (!drain) {
    throw new AppError("source-live", `${left.map(({ name }) => name).join(", ")} still uses this file.`, {
      hint: "Stop it first, or use --drain.",
    });
  }
  const asked = new Set<string>();
  for (const until = Date.now() + DRAIN_MS; left.length > 0; left = living(db)) {
    for (const instance of left) if (!asked.has(instance.name)) askToStop(instance);
    for (const { name } of left) asked.add(name);
    const { count } = db.prepare(COUNT_RUNNING).get() as { count: number };
    progress?.({ doing: "draining", done: 0, total: count });
    if (Date.now() > until) {
      throw new AppError("source-live", `${left.map(({ name }) => name).join(", ")} did not stop.`, {
        hint: "Check which jobs it still runs. A second SIGTERM stops it without waiting for them.",
      });
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Asks a process to stop, as a deploy does: it claims no more, finishes or hands back what runs, and ends. */
function askToStop({ name, place }: LivingProcess): void {
  const pid = Number(place?.split(" ")[2]);
  if (place === null || !Number.isInteger(pid) || pid <= 1 || pid === process.pid) {
    throw new AppError("source-live", `${name} still uses this file and cannot be stopped from here.`, {
      hint: "Stop it on its own machine.",
    });
  }
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // The process has ended by itself, or belongs to another user. The next look shows which.
  }
}
