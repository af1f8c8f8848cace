// A backup of this store is a SQLite file that opens anywhere: one snapshot, table by table. For a large database
// pg_dump is the better tool; this one needs nothing but a path.

import { existsSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { backupExists } from "../../decide/refusals.ts";
import { artifactsPath, NOBODY_AT_WORK, openDatabase } from "../../sqlite/connection/database.ts";
import { WriteTurn } from "../../sqlite/connection/write-turn.ts";
import { PostgresConnection } from "../connection/connection.ts";
import { SNAPSHOT } from "../connection/connections.ts";
import type { Core } from "../core.ts";
import { deliverSignals } from "../waits/deliver-signals.ts";
import { COPIED, COUNTERS } from "./tables.ts";

const ROWS_AT_ONCE = 500;

export async function backup(core: Core, path: string): Promise<void> {
  for (const target of [path, artifactsPath(path)]) {
    if (existsSync(target)) throw backupExists(target);
  }
  const db = openDatabase({ path, durability: "full" }, new WriteTurn());
  try {
    // A file has no place for a signal that is committed and not delivered.
    await deliverSignals(core);
    await copyInto(core, db);
    db.close();
  } catch (error) {
    db.close();
    for (const file of [path, artifactsPath(path)]) rmSync(file, { force: true });
    throw error;
  }
}

async function copyInto(core: Core, db: DatabaseSync): Promise<void> {
  const { target } = core.connections;
  const connection = await PostgresConnection.open({
    url: target.url,
    session: { application_name: "millrace backup" },
    prepare: false,
  });
  try {
    await connection.run(SNAPSHOT);
    db.exec("BEGIN");
    db.exec("PRAGMA defer_foreign_keys = ON"); // A stage may name a stage that comes after it.
    for (const table of COPIED) {
      const insert = db.prepare(table.putSqlite);
      await connection.run(`DECLARE rows NO SCROLL CURSOR FOR ${target.inSchema(table.allPostgres)}`);
      for (;;) {
        const rows = await connection.run<Record<string, unknown>>(`FETCH ${ROWS_AT_ONCE} FROM rows`);
        for (const row of rows) insert.run(...(table.columns.map((column) => toSqlite(row[column])) as never[]));
        if (rows.length < ROWS_AT_ONCE) break;
      }
      await connection.run("CLOSE rows");
    }
    for (const statement of COUNTERS) db.exec(statement);
    db.exec(NOBODY_AT_WORK);
    db.exec("COMMIT");
  } finally {
    await connection.close();
  }
}

function toSqlite(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}
