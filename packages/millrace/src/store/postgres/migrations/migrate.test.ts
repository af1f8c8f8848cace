// runtimes: bun

import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import type { AppError } from "../../../lib/app-error.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";
import { JOBS } from "./base/0001-jobs.ts";
import { SHARED } from "./base/0002-shared.ts";
import { migrate } from "./migrate.ts";

removeDatabasesAfterwards();

test("whoever does not know of bundles and still runs can claim nothing once there may be some", async (t) => {
  const target = new DatabaseTarget(await freshDatabase());
  const db = new ConnectionPool(target, { most: 1, limitMs: 5_000, name: "test" });
  t.after(() => db.close());
  await migrate(db, target, [
    { sql: JOBS, breaks: true },
    { sql: SHARED, breaks: true },
  ]);
  // A part of their claims, planned and kept on the session.
  const turn = "UPDATE millrace.lane SET turn = nextval('millrace.turn') WHERE stage = $1";
  await db.run("INSERT INTO millrace.lane (stage, tenant, active) VALUES (1, 1, true)");
  for (let i = 0; i < 10; i++) await db.run(turn, [1]);
  await migrate(db, target);
  await assert.rejects(db.run(turn, [2]), { message: /"millrace.turn" does not exist/ });
  const [next] = await db.run<{ turn: number }>("SELECT nextval('millrace.lane_turn') AS turn");
  assert.equal(next?.turn, 11, "lanes keep their order");
});

test("schedules from before names belonged to tenants keep their tenant and their ticks", async (t) => {
  const target = new DatabaseTarget(await freshDatabase());
  const db = new ConnectionPool(target, { most: 1, limitMs: 5_000, name: "test" });
  t.after(() => db.close());
  await migrate(db, target, [
    { sql: JOBS, breaks: true },
    { sql: SHARED, breaks: true },
  ]);
  const rule = JSON.stringify({ tenant: "acme", cron: "0 3 * * *" });
  await db.run("INSERT INTO millrace.schedule (name, rule, next_at, last_at) VALUES ('nightly', $1, 7, 5)", [rule]);
  await migrate(db, target);
  const rows = await db.run("SELECT tenant, name, rule, next_at, last_at FROM millrace.schedule");
  assert.deepEqual(rows, [{ tenant: "acme", name: "nightly", rule, next_at: 7, last_at: 5 }]);
});

test("the server gathers statistics of what is asked for, and of no job's payload", async (t) => {
  const target = new DatabaseTarget(await freshDatabase());
  const db = new ConnectionPool(target, { most: 1, limitMs: 5_000, name: "test" });
  t.after(() => db.close());
  await migrate(db, target);
  const columns = await db.run<{ name: string; target: number | null }>(
    `SELECT attname AS name, attstattarget AS target FROM pg_attribute
      WHERE attrelid IN ('millrace.job'::regclass, 'millrace.finished'::regclass) AND attnum > 0`,
  );
  const of = (wanted: string) => columns.filter(({ name }) => name === wanted).map((column) => column.target);
  assert.deepEqual(
    [of("payload"), of("tenant")],
    [
      [0, 0],
      [20, 20],
    ],
  );
  const unsaid = columns.filter((column) => column.target === null || column.target < 0);
  assert.deepEqual(unsaid, [], "a new column says whether it is asked for");
});

test("the schema public, and one that holds tables of another application, are refused and left as they are", async (t) => {
  const url = await freshDatabase();
  const db = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
  t.after(() => db.close());
  await db.run("CREATE SCHEMA shop; CREATE TABLE shop.job (id int); CREATE TABLE shop.meta (key text)");
  const refused = async (schema: string) => {
    const pool = new ConnectionPool(new DatabaseTarget(`${url}?schema=${schema}`), {
      most: 1,
      limitMs: 5_000,
      name: "test",
    });
    t.after(() => pool.close());
    const error = await migrate(pool, new DatabaseTarget(`${url}?schema=${schema}`)).then(
      () => undefined,
      (each: AppError) => each,
    );
    return `${error?.code}: ${error?.message} ${error?.hint}`;
  };
  assert.match(await refused("public"), /^store-foreign: .*"public"\. Remove schema=public from DATABASE_URL/);
  assert.match(
    await refused("shop"),
    /^store-foreign: The schema "shop" holds tables of another application: job, meta\./,
  );
  const [count] = await db.run<{ tables: number }>(
    "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname IN ('public', 'shop')",
  );
  assert.equal(count?.tables, 2);
});

test("a database that has our tables in public from before keeps opening", async (t) => {
  const url = await freshDatabase();
  const db = new ConnectionPool(new DatabaseTarget(`${url}?schema=before`), { most: 1, limitMs: 5_000, name: "test" });
  t.after(() => db.close());
  await migrate(db, new DatabaseTarget(`${url}?schema=before`), [
    { sql: JOBS, breaks: true },
    { sql: SHARED, breaks: true },
  ]);
  await db.run("DROP SCHEMA public; ALTER SCHEMA before RENAME TO public");
  const store = new PostgresStore({ url: `${url}?schema=public`, durability: "normal" });
  await store.open(NO_EVENTS);
  t.after(() => store.close());
  assert.deepEqual(await store.list({}), []);
});
