// runtimes: bun or node
// ctx.transaction() beside a SQLite store: its steps stand in the application's own database.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { type Context, defineKind, type Kind, Millrace, sqlite } from "millrace";
import { outbox } from "millrace/outbox";
import { z } from "zod";

async function open(t: TestContext, run: (ctx: Context, db: DatabaseSync) => unknown, { init = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "millrace-step-"));
  const db = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(join(folder, "app.db"));
  t.after(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  if (init) await outbox.sqlite(db).init();
  db.exec("CREATE TABLE seat (id INTEGER PRIMARY KEY, booked INTEGER)");
  const kind = defineKind({
    name: "book",
    payload: z.object({}),
    retry: { baseMs: 1 },
    run: (ctx) => run(ctx as never, db),
  }) as Kind;
  const store = sqlite(join(folder, "jobs.db"));
  const millrace = await Millrace.open({ store, kinds: [kind], log: false });
  t.after(() => millrace.stop());
  const seats = () =>
    db
      .prepare("SELECT id FROM seat ORDER BY id")
      .all()
      .map(({ id }) => id);
  const steps = () =>
    db
      .prepare("SELECT name, value, job FROM millrace_step")
      .all()
      .map((row) => ({ ...row }));
  return { db, kind, millrace, seats, steps };
}

const book = (db: DatabaseSync, seat: number) => db.prepare("INSERT INTO seat (id) VALUES (?)").run(seat);

describe("ctx.transaction() beside a SQLite store", () => {
  test("commits the step in the application's database, and both stores have it", async (t) => {
    let calls = 0;
    const { millrace, kind, seats, steps } = await open(t, async (ctx, db) => {
      const booked = await ctx.transaction("book", db, (tx) => {
        calls++;
        book(tx, 7);
        return { seat: 7 };
      });
      if (ctx.attempt === 1) throw new Error("again");
      return booked;
    });
    const job = await millrace.submit(kind, {});
    assert.deepEqual(await job.wait(), { seat: 7 });
    assert.equal(calls, 1);
    assert.deepEqual(seats(), [7]);
    assert.deepEqual(steps(), [{ name: "book", value: '{"seat":7}', job: job.id }]);
    assert.deepEqual(
      (await millrace.steps(job.id)).map(({ value }) => value),
      ['{"seat":7}'],
    );
  });

  test("finds a step that was committed although the store never heard of it", async (t) => {
    let hasRun = false;
    const { millrace, kind, seats, steps, db } = await open(t, async (ctx, db) => {
      if (ctx.attempt === 1) {
        await ctx.transaction("book", db, (tx) => book(tx, 7).changes);
        throw new Error("the process dies here");
      }
      // As if it had died before the store got the step.
      return ctx.transaction("book", db, () => {
        hasRun = true;
        return 0;
      });
    });
    const job = await millrace.submit(kind, {});
    assert.equal(await job.wait(), 1);
    assert.equal(hasRun, false);
    assert.deepEqual(seats(), [7]);
    // The row alone is enough: the same key, for a job that the store knows nothing stored of.
    const [{ value }] = steps() as unknown as [{ value: string }];
    assert.equal(value, "1");
    db.prepare("DELETE FROM millrace_step").run();
  });

  test("rolls back what throws, what returns a promise, and what JSON cannot hold", async (t) => {
    const { millrace, kind, seats, steps } = await open(t, (ctx, db) =>
      ctx.transaction("book", db, (tx) => {
        book(tx, ctx.attempt);
        if (ctx.tags.includes("throws")) throw new Error("no seat");
        return (ctx.tags.includes("promise") ? Promise.resolve(1) : 1n) as unknown as number;
      }),
    );
    const failing = async (tag: string, error: RegExp) => {
      const job = await millrace.submit(kind, {}, { tags: [tag], maxAttempts: 1 });
      await assert.rejects(job.wait(), error);
    };
    await failing("throws", /no seat/);
    await failing("promise", /must not return a promise/);
    await failing("bigint", /book/);
    assert.deepEqual(seats(), []);
    assert.deepEqual(steps(), []);
  });

  test("checks the lease just before", async (t) => {
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const { millrace, kind, seats } = await open(t, async (ctx, db) => {
      begun.resolve();
      await goOn.promise;
      await ctx.transaction("book", db, (tx) => book(tx, 1).changes).then(ended.resolve, ended.resolve);
    });
    const job = await millrace.submit(kind, {});
    await begun.promise;
    await job.cancel();
    goOn.resolve();
    assert.match(String(await ended.promise), /LeaseLost/);
    assert.deepEqual(seats(), []);
  });

  test("completes the stage with the value, whatever the processor does afterwards", async (t) => {
    const { millrace, kind, seats } = await open(t, async (ctx, db) => {
      await ctx.transaction("book", db, (tx) => ({ rows: Number(book(tx, 7).changes) }), { complete: true });
      throw new Error("too late");
    });
    const job = await millrace.submit(kind, {});
    assert.deepEqual(await job.wait(), { rows: 1 });
    assert.deepEqual(seats(), [7]);
    assert.equal((await job.view())?.attempt, 1);
  });

  test("stores a step with tx in a transaction of the processor's own", async (t) => {
    const { millrace, kind, seats, steps } = await open(t, async (ctx, db) => {
      db.exec("BEGIN");
      book(db, ctx.attempt);
      const seat = await ctx.step("seat", () => ctx.attempt, { tx: db });
      db.exec(ctx.attempt === 1 ? "ROLLBACK" : "COMMIT");
      if (ctx.attempt < 3) throw new Error("again");
      return seat;
    });
    assert.equal(await (await millrace.submit(kind, {})).wait(), 2);
    assert.deepEqual(seats(), [2, 3]);
    assert.equal(steps().length, 1);
  });

  test("says what to do where the table is missing", async (t) => {
    const { millrace, kind } = await open(t, (ctx, db) => ctx.transaction("book", db, () => 1), { init: false });
    const job = await millrace.submit(kind, {}, { maxAttempts: 1 });
    await assert.rejects(job.wait(), { code: "table-missing" });
  });
});

test("an isolated stage says that a transaction cannot cross the border of its process", async (t) => {
  const kind = defineKind({
    name: "isolated",
    payload: z.object({}),
    isolation: "process",
    module: new URL("./support/isolated-step.ts", import.meta.url),
  });
  const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [kind], log: false });
  t.after(() => millrace.stop());
  const job = await millrace.submit(kind, {}, { maxAttempts: 1 });
  await assert.rejects(job.wait(), /does not run in an isolated processor/);
});
