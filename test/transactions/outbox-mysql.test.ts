// runtimes: bun or node
// An outbox and the steps of ctx.transaction() in MariaDB, which speaks the protocol of MySQL.
import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { type Context, defineKind, Millrace, type MillraceOptions, sqlite } from "millrace";
import { outbox } from "millrace/outbox";
import { createPool as createCallbackPool } from "mysql2";
import { createPool, type Pool } from "mysql2/promise";
import { z } from "zod";
import { startMariadb } from "../support/mariadb.ts";
import { skipWithout } from "../support/system.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";

const REVERSED = rounds("FAULT_REVERSED", 40, 1_000);
const INSERT = "INSERT INTO millrace_outbox (id, kind, payload) VALUES (UUID(), 'charge', ?)";

describe("an outbox in MariaDB", { skip: skipWithout("mariadbd") }, () => {
  let server: Awaited<ReturnType<typeof startMariadb>>;
  let names = 0;
  before(async () => {
    server = await startMariadb();
  });
  after(() => server?.stop());

  async function openApp(t: TestContext, run: (ctx: Context, pool: Pool) => unknown = () => null) {
    const admin = createPool(server.url);
    const name = `app_${names++}`;
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.end();
    const url = server.url.replace(/\/mysql$/, `/${name}`);
    const pool = createPool(url);
    t.after(() => pool.end());
    await outbox.mysql(pool).init();
    await pool.query("CREATE TABLE seat (id INT PRIMARY KEY)");
    const charge = defineKind({
      name: "charge",
      payload: z.object({ order: z.number() }),
      retry: { baseMs: 1 },
      run: (ctx) => run(ctx as never, pool),
    });
    const open = async (options: Partial<MillraceOptions> = {}) => {
      const outboxes = [outbox.mysql(pool, { pollMs: 5 })];
      const millrace = await Millrace.open({
        store: sqlite(":memory:"),
        kinds: [charge],
        outboxes,
        log: false,
        ...options,
      });
      t.after(() => millrace.stop());
      return millrace;
    };
    const count = async (table: string) =>
      Number(((await pool.query(`SELECT count(*) AS count FROM ${table}`))[0] as { count: number }[])[0]?.count);
    return { url, pool, charge, open, count };
  }

  test("has a job for each row that is committed, and no other", async (t) => {
    const { url, pool, charge, open, count } = await openApp(t, () => "done");
    const callbacks = createCallbackPool(url);
    t.after(() => callbacks.promise().end());
    const millrace = await open({ outboxes: [outbox.mysql(callbacks, { pollMs: 5 })] });
    for (const [order, how] of [
      [1, "commit"],
      [2, "rollback"],
      [3, "commit"],
    ] as const) {
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      await connection.query("INSERT INTO seat (id) VALUES (?)", [order]);
      await outbox.within(connection).submit(charge, { order }, { tags: ["it's ? \\"] });
      await connection[how]();
      connection.release();
    }
    await pool.query(INSERT, ['{"order":4}']);
    await pool.query(INSERT, ['{"order":"four"}']);
    await until("three jobs have completed", async () => (await millrace.count({ status: "completed" })) === 3);
    await until("the rows are deleted", async () => (await count("millrace_outbox")) === 0);
    const jobs = await millrace.list();
    assert.deepEqual(
      jobs.map(({ payload, status, tags }) => [(payload as { order: unknown }).order, status, tags[0]]).sort(),
      [
        [1, "completed", "it's ? \\"],
        [3, "completed", "it's ? \\"],
        [4, "completed", undefined],
        ["four", "failed", undefined],
      ],
    );
  });

  test(`misses no row of ${REVERSED} pairs of transactions that commit in reverse order`, {
    timeout: 60_000 + REVERSED * 200,
  }, async (t) => {
    const { pool, open, count } = await openApp(t);
    const millrace = await open({ work: false });
    const [first, second] = [await pool.getConnection(), await pool.getConnection()];
    for (let pair = 0; pair < REVERSED; pair++) {
      await first.beginTransaction();
      await first.query(INSERT, [`{"order":${pair * 2}}`]);
      await second.beginTransaction();
      await second.query(INSERT, [`{"order":${pair * 2 + 1}}`]);
      await second.commit();
      if (pair % 2 === 0) await until("the second is taken", async () => (await count("millrace_outbox")) === 0);
      await first.commit();
    }
    first.release();
    second.release();
    await until("all rows are taken", async () => (await count("millrace_outbox")) === 0);
    assert.equal(await millrace.count(), REVERSED * 2);
  });

  test("stores the step of ctx.transaction() with the processor's writes", async (t) => {
    const { charge, open, count } = await openApp(t, async (ctx, pool) => {
      const booked = await ctx.transaction("book", pool, async (tx) => {
        await tx.query("INSERT INTO seat (id) VALUES (?)", [ctx.attempt]);
        if (ctx.attempt === 1) throw new Error("rolled back");
        return ctx.attempt;
      });
      if (ctx.attempt < 4) throw new Error("again");
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      await connection.query("INSERT INTO seat (id) VALUES (?)", [ctx.attempt]);
      await ctx.step("reserve", () => "reserved", { tx: connection });
      await connection.commit();
      connection.release();
      return booked;
    });
    const millrace = await open({ outboxes: [] });
    const job = await millrace.submit(charge, { order: 1 }, { maxAttempts: 5 });
    assert.equal(await job.wait(), 2);
    assert.equal(await count("seat"), 2);
    assert.equal(await count("millrace_step"), 2);
  });
});
