import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseSync } from "../sqlite/connection/driver.ts";
import { migrate } from "../sqlite/migrations/migrate.ts";
import { listOf, valuesOf } from "./column.ts";
import { JOB_COLUMNS, jobColumns } from "./job-columns.ts";
import { TABLES } from "./tables.ts";

/** SQLite counts as it goes; a copy counts again. */
const COUNTERS: Record<string, readonly string[]> = {
  tenant: ["running"],
  stage: ["turn", "scheduled", "ready", "suspect", "held", "running", "completed", "failed", "rejected", "cancelled"],
};

test("every column of a SQLite file is described, in the order of its table", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("ATTACH ':memory:' AS artifacts");
  migrate(db);
  for (const { name, columns, inFile } of TABLES) {
    const [table, schema = "main"] = inFile.split(".").reverse();
    const rows = db.prepare(`SELECT name FROM pragma_table_info(?, ?)`).all(table as string, schema);
    const stored = rows.map(({ name: column }) => column).filter((column) => !COUNTERS[name]?.includes(String(column)));
    assert.deepEqual(columns.map((column) => column.name).sort(), stored.sort(), name);
  }
  const job = db.prepare("SELECT name FROM pragma_table_info('job')").all();
  assert.deepEqual(
    jobColumns(),
    job.map(({ name }) => name),
  );
  db.close();
});

test("a column that may be NULL in a SQLite file is described as such", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("ATTACH ':memory:' AS artifacts");
  migrate(db);
  const rows = db.prepare(`SELECT name, "notnull" AS filled, pk FROM pragma_table_info('job')`).all();
  const nullable = rows.filter(({ filled, pk }) => filled === 0 && pk === 0).map(({ name }) => name);
  assert.deepEqual(
    jobColumns((column) => column.nullable === true),
    nullable,
  );
  db.close();
});

test("lists and values name each column", () => {
  assert.equal(listOf(["id", "stage"], "job"), "job.id, job.stage");
  assert.equal(valuesOf(["id", "stage", "standing"], { standing: "5" }), "id, stage, 5");
  assert.equal(JOB_COLUMNS.id.type, "bigint");
});
