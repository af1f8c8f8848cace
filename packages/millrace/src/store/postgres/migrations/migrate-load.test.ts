// runtimes: bun
// time-limit: 300 s

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { scaled } from "../../../../../../test/support/slowness.ts";
import { rounds } from "../../../../../../test/support/torture.ts";
import { ConnectionPool, Connections } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { JOBS } from "./base/0001-jobs.ts";
import { SHARED } from "./base/0002-shared.ts";
import { BUNDLES } from "./base/0003-bundles.ts";
import { STATISTICS } from "./base/0004-statistics.ts";
import { type Migration, migrate } from "./migrate.ts";

removeDatabasesAfterwards();

const FIRST_VERSION: Migration[] = [JOBS, SHARED, BUNDLES, STATISTICS].map((sql) => ({ sql, breaks: true }));
const ROWS = rounds("FAULT_ROWS", 50_000, 1_000_000);
const KIND = `INSERT INTO millrace.kind (id, name, plan) VALUES (1, 'mail', '{"name":"mail","stages":[],"retention":{"finishedMs":1,"deadLetterMs":1}}');
  INSERT INTO millrace.stage (id, kind, name, position, next) VALUES (2, 1, 'send', 1, NULL), (1, 1, 'write', 0, 2), (3, 1, 'gone', 1003, NULL);
  INSERT INTO millrace.tenant (id, name) VALUES (1, 'default')`;
const FILL = `INSERT INTO millrace.job (id, stage, tenant, standing, priority, run_at, created_at, updated_at, payload)
  SELECT n, 1, 1, 0, 0, 9e15::bigint, 1, 1, '{}' FROM generate_series(1, $1::int) AS n`;
const WORK = "UPDATE millrace.job SET updated_at = updated_at + 1 WHERE id = $1";
/** What a migration may keep others waiting, on a machine that is not busy with anything else. */
const LONGEST_WAIT_MS = scaled(1_000);

async function oldDatabase(t: { after(work: () => Promise<void>): void }) {
  const target = new DatabaseTarget(await freshDatabase());
  const db = new ConnectionPool(target, { most: 2, limitMs: scaled(120_000), name: "test" });
  t.after(() => db.close());
  await migrate(db, target, FIRST_VERSION);
  await db.run(KIND);
  return { target, db };
}

test(`a database of the first version with ${ROWS} jobs is migrated while they are worked on, and nobody waits for long`, async (t) => {
  const { target, db } = await oldDatabase(t);
  await db.run(FILL, [ROWS]);
  let over = false;
  let longestMs = 0;
  let worked = 0;
  const load = async (client: ConnectionPool, from: number) => {
    for (let id = from; !over; id = (id % ROWS) + 1, worked++) {
      const startedAt = performance.now();
      await client.run(WORK, [id]);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
  };
  const clients = new ConnectionPool(target, { most: 4, limitMs: 60_000, name: "load" });
  t.after(() => clients.close());
  // A report of somebody else's that reads the table for a while: whoever waited behind it would hold up all others.
  const report = clients.transact(async (tx) => {
    await tx.run("SELECT 1 FROM millrace.job LIMIT 1");
    await tx.run("SELECT 1 FROM millrace.instance LIMIT 1");
    await delay(1_500);
  });
  const loads = [1, 2, 3].map((n) => load(clients, n * 100));
  const connections = new Connections(target);
  t.after(() => connections.close());
  await migrate(connections.write, target);
  const atEnd = worked;
  over = true;
  await Promise.all([report, ...loads]);
  assert.ok(atEnd > 0, "work went on meanwhile");
  assert.ok(longestMs < LONGEST_WAIT_MS, `a statement waited for ${Math.round(longestMs)} ms`);

  const plans = await db.run("SELECT stages FROM millrace.plan ORDER BY id");
  assert.deepEqual(plans, [{ stages: '["write","send"]' }, { stages: '["gone"]' }]);
  const rows = await db.run("SELECT id, plan, position, next FROM millrace.stage ORDER BY id");
  assert.deepEqual(rows, [
    { id: 1, plan: 1, position: 0, next: 2 },
    { id: 2, plan: 1, position: 1, next: null },
    { id: 3, plan: 2, position: 0, next: null },
  ]);
});

test("a database is not migrated while a process of the first version lives, and the error names it", async (t) => {
  const { target, db } = await oldDatabase(t);
  const now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
  await db.run(`INSERT INTO millrace.instance (name, started_at, beat_at, expires_at, lease_ms)
    VALUES ('worker-7:4711', 1, 1, ${now} + 60000, 15000)`);
  await assert.rejects(migrate(db, target), { code: "old-process-lives", message: /worker-7:4711/ });
  await db.run("UPDATE millrace.instance SET expires_at = 1");
  await migrate(db, target);
  await assert.rejects(
    db.run(
      "INSERT INTO millrace.instance (name, started_at, beat_at, expires_at, lease_ms) VALUES ('late', 1, 1, 1, 1)",
    ),
    /level/,
    "one that starts in that moment cannot register",
  );
});

test("an index is made beside readers and writers, and made anew where it was left half made", async (t) => {
  const { target, db } = await oldDatabase(t);
  const index = { name: "job_updated", on: "millrace.job (updated_at)" };
  const migrations: Migration[] = [...FIRST_VERSION, { index, breaks: false }, { backfill: BACKFILL, breaks: false }];
  await db.run(FILL, [2_500]);
  await migrate(db, target, migrations);
  const [found] = await db.run<{ valid: boolean }>(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'millrace.job_updated'::regclass",
  );
  assert.equal(found?.valid, true);
  const [left] = await db.run<{ count: number }>("SELECT count(*)::int AS count FROM millrace.job WHERE trace IS NULL");
  assert.equal(left?.count, 0, "every batch of the backfill was run");
  await migrate(db, target, migrations);
});

const BACKFILL = `UPDATE millrace.job SET trace = 'filled' WHERE id = ANY(ARRAY(SELECT id FROM millrace.job WHERE trace IS NULL LIMIT 1000))
  RETURNING id`;
