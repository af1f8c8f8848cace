// From one file to PostgreSQL, with nothing lost: every table in the order of its keys, each batch with a note of how far it
// came, so that a move that was interrupted goes on where it was. At the end both sides are read again and compared, row
// by row; then, and only then, the file says that it has moved.

import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../lib/app-error.ts";
import { READY } from "../store/codes.ts";
import type { StatementRunner } from "../store/postgres/connection/connection.ts";
import { ConnectionPool } from "../store/postgres/connection/connections.ts";
import { DatabaseTarget } from "../store/postgres/connection/target.ts";
import { migrate } from "../store/postgres/migrations/migrate.ts";
import { keyOf, readDatabase, readFile, Sum, writeRows } from "./rows.ts";
import { openSource } from "./source.ts";
import { MOVED, type MovedTable } from "./tables.ts";

export interface MoveOptions {
  from: string;
  to: string;
  /** Processes that work on the file get a signal to stop, and the move waits for them. */
  drain?: boolean;
  progress?: (state: MoveProgress) => void;
  /** Tests: called after each batch. */
  afterBatch?: (table: string) => void;
}

export interface MoveProgress {
  doing: "draining" | "copying" | "comparing";
  table?: string;
  done: number;
  total: number;
}

export interface MoveReport {
  tables: { table: string; rows: number; checksum: string }[];
  /** Whether it went on where an earlier move was interrupted. */
  resumed: boolean;
}

const NOTE =
  "INSERT INTO millrace.meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const NOTES = "SELECT name, value FROM millrace.meta WHERE $1::int = 1";
const DROP_NOTES = "DELETE FROM millrace.meta WHERE name LIKE 'move %'";
const DROP_PROGRESS = "DELETE FROM millrace.meta WHERE name LIKE 'move %' AND name <> 'move of'";
const LANES = `INSERT INTO millrace.lane (stage, tenant, active) SELECT DISTINCT stage, tenant, true FROM millrace.job WHERE standing = ${READY}
  ON CONFLICT (stage, tenant) DO UPDATE SET active = true`;
const SEQUENCES = `SELECT setval('millrace.job_key', $1::bigint, false),
  ${[
    "tenant",
    "kind",
    "plan",
    "deployment",
    "stage",
    "instance",
    "attempt",
    "log",
    "audit",
    "shared",
    "wait",
    "signal",
    "event",
    "undo",
    "edge",
    "batch",
    "left_work",
    "place",
    "operation",
  ]
    .map(
      (table) => `setval('millrace.${table}_id_seq', (SELECT coalesce(max(id), 0) + 1 FROM millrace.${table}), false)`,
    )
    .join(", ")}, setval('millrace.record_version_seq', $2::bigint, false)`;
const IN_USE = `SELECT EXISTS (SELECT 1 FROM millrace.every_job) OR EXISTS (SELECT 1 FROM millrace.kind)
  OR EXISTS (SELECT 1 FROM millrace.api_key) OR EXISTS (SELECT 1 FROM millrace.record) AS used, $1::int AS one`;

export async function move(options: MoveOptions): Promise<MoveReport> {
  if (!existsSync(options.from)) {
    throw new AppError("file-missing", `There is no file ${options.from}.`, { hint: "Give the path with --from." });
  }
  const target = new DatabaseTarget(options.to);
  const db = new ConnectionPool(target, { most: 1, limitMs: 120_000, name: "millrace move", prepare: false });
  try {
    await migrate(db, target);
    const source = await openSource(options.from, { drain: options.drain ?? false, progress: options.progress });
    try {
      const begun = await begin(db, source.db);
      const total = MOVED.reduce((sum, table) => sum + countRows(source.db, table), 0);
      // If they were written again, jobs that finished there meanwhile would come back to life.
      if (begun !== "copied") await copyAll(db, source.db, total, options);
      let tables = await compareAll(db, source.db, total, options);
      if ("differs" in tables && begun === "partly") {
        // The file was used after the interruption. No process has used the database, because it refused them.
        await startOver(db);
        await copyAll(db, source.db, total, options);
        tables = await compareAll(db, source.db, total, options);
      }
      if ("differs" in tables) throw notEqual(tables, begun);
      await db.transact(async (tx) => {
        await tx.run(LANES);
        await tx.run(SEQUENCES, [nextJob(source.db), nextVersion(source.db)]);
        await tx.run(DROP_NOTES);
        await tx.run(NOTE, ["moved_from", options.from]);
      });
      source.markMoved(target.shown);
      return { tables, resumed: begun !== "new" };
    } finally {
      source.close();
    }
  } finally {
    await db.close();
  }
}

type MoveStart = "new" | "partly" | "copied";

/** The ids of jobs are made with the file's secret: it goes first, and tells a later run that this is its own move. */
async function begin(db: ConnectionPool, source: DatabaseSync): Promise<MoveStart> {
  const secret = metaOf(source, "id_secret");
  return db.transact(async (tx) => {
    const notes = await readNotes(tx);
    if (notes.get("move of") === secret) return "partly";
    // The move was interrupted in the very last moment, after the copy and before the file knew of it.
    if (notes.has("moved_from") && notes.get("id_secret") === secret) return "copied";
    const [use] = await tx.run<{ used: boolean }>(IN_USE, [1]);
    if (use?.used) {
      throw new AppError("target-in-use", "This database already has jobs, kinds, keys or records.", {
        hint: "Use an empty database, or another schema: add ?schema=name to the URL.",
      });
    }
    await tx.run(NOTE, ["id_secret", secret]);
    await tx.run(NOTE, ["move of", secret]);
    return "new";
  });
}

async function copyAll(db: ConnectionPool, source: DatabaseSync, total: number, options: MoveOptions): Promise<void> {
  const notes = await readNotes(db);
  let done = 0;
  for (const table of MOVED) {
    const note = notes.get(`move ${table.name}`);
    let state: { after?: unknown[]; rows: number } = note === undefined ? { rows: 0 } : JSON.parse(note);
    done += state.rows;
    for (;;) {
      options.progress?.({ doing: "copying", table: table.name, done, total });
      const rows = readFile(source, table, state.after, table.batch);
      const last = rows.at(-1);
      if (last === undefined) break;
      state = { after: keyOf(table, last), rows: state.rows + rows.length };
      await db.transact(async (tx) => {
        await writeRows(tx, table, rows);
        await tx.run(NOTE, [`move ${table.name}`, JSON.stringify(state)]);
      });
      done += rows.length;
      options.afterBatch?.(table.name);
    }
  }
}

async function startOver(db: ConnectionPool): Promise<void> {
  const tables = MOVED.flatMap(({ into }) => into.map(({ table }) => table));
  await db.transact(async (tx) => {
    await tx.run(`TRUNCATE ${tables.join(", ")}`);
    await tx.run(DROP_PROGRESS);
  });
}

interface Difference {
  differs: MovedTable;
  ours: number;
  theirs: number;
}

async function compareAll(
  db: ConnectionPool,
  source: DatabaseSync,
  total: number,
  options: MoveOptions,
): Promise<MoveReport["tables"] | Difference> {
  const tables: MoveReport["tables"] = [];
  let done = 0;
  for (const table of MOVED) {
    const [ours, theirs] = [new Sum(), new Sum()];
    for (let after: unknown[] | undefined; ; ) {
      options.progress?.({ doing: "comparing", table: table.name, done, total });
      const rows = readFile(source, table, after, table.batch);
      const last = rows.at(-1);
      if (last === undefined) break;
      ours.add(rows);
      done += rows.length;
      after = keyOf(table, last);
    }
    for (let after: unknown[] | undefined; ; ) {
      const rows = await readDatabase(db, table, after, table.batch);
      const last = rows.at(-1);
      if (last === undefined) break;
      theirs.add(rows);
      after = keyOf(table, last);
    }
    const checksum = ours.digest();
    if (ours.count !== theirs.count || checksum !== theirs.digest())
      return { differs: table, ours: ours.count, theirs: theirs.count };
    tables.push({ table: table.name, rows: ours.count, checksum });
  }
  return tables;
}

function notEqual({ differs: { name }, ours, theirs }: Difference, begun: MoveStart): AppError {
  const message =
    ours === theirs
      ? `The ${ours} rows of "${name}" differ between the file and PostgreSQL.`
      : `"${name}" has ${ours} rows in the file and ${theirs} in PostgreSQL.`;
  if (begun === "copied") {
    return new AppError(
      "move-differs",
      `${message} All rows were copied, and then the file or the database was changed.`,
      {
        hint:
          "If the database was changed, continue with it: set DATABASE_URL and do not use the file. " +
          "If the file was changed, drop the schema in PostgreSQL and move again.",
      },
    );
  }
  return new AppError("move-differs", `${message} The file is unchanged and still in use.`, {
    hint: "Another program wrote to the file or the database meanwhile. Drop the schema in PostgreSQL and move again.",
  });
}

async function readNotes(db: StatementRunner): Promise<Map<string, string>> {
  const rows = await db.run<{ name: string; value: string }>(NOTES, [1]);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

function countRows(source: DatabaseSync, table: MovedTable): number {
  return (source.prepare(`SELECT count(*) AS count FROM ${table.inFile}`).get() as { count: number }).count;
}

function metaOf(source: DatabaseSync, name: string): string {
  return (source.prepare("SELECT value FROM meta WHERE name = ?").get(name) as { value: string }).value;
}

function nextJob(source: DatabaseSync): number {
  return Number(metaOf(source, "next_job"));
}

/** The number is above the versions of deleted records too, so that none is used twice. */
function nextVersion(source: DatabaseSync): number {
  const row = source.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'record'").get() as
    | { seq: number }
    | undefined;
  return (row?.seq ?? 0) + 1;
}
