// runtimes: bun
// An outbox and steps on connections of bun:sqlite, which only Bun has.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { type Context, defineKind, Millrace, type SqliteConnection, sqlite } from "millrace";
import { outbox } from "millrace/outbox";
import { z } from "zod";
import { until } from "../support/until.ts";

/** The part of bun:sqlite that the test uses; its types would change those of fetch and streams. */
interface Database extends SqliteConnection {
  transaction<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void;
  close(): void;
}
type Sqlite = { Database: new (path: string) => Database };

const INSERT_ORDER = "INSERT INTO customer_order (id) VALUES (?)";

async function openApp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "millrace-bun-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { Database }: Sqlite = await import("bun:sqlite" as string);
  const path = join(folder, "app.db");
  const db = new Database(path);
  t.after(() => db.close());
  db.exec("PRAGMA journal_mode = WAL");
  await outbox.sqlite(db).init();
  db.exec("CREATE TABLE customer_order (id INTEGER PRIMARY KEY)");
  const rowsOf = (table: string, column: string) =>
    (db.prepare(`SELECT ${column} AS value FROM ${table} ORDER BY 1`).all() as { value: unknown }[]).map(
      ({ value }) => value,
    );
  return { db, path, store: sqlite(join(folder, "jobs.db")), rowsOf };
}

describe("bun:sqlite", () => {
  for (const from of ["the connection of the application", "the file"]) {
    test(`has a job for each row that is committed, and no other, relayed from ${from}`, async (t) => {
      const { db, path, store, rowsOf } = await openApp(t);
      const charge = defineKind({
        name: "charge",
        payload: z.object({ order: z.number() }),
        run: (_ctx, { order }) => ({ charged: order }),
      });
      const database = from === "the file" ? path : db;
      const outboxes = [outbox.sqlite(database, { pollMs: 20 })];
      const millrace = await Millrace.open({ store, kinds: [charge], outboxes, log: false });
      t.after(() => millrace.stop());
      const order = db.transaction((id: number, fails: boolean) => {
        db.prepare(INSERT_ORDER).run(id);
        outbox.within(db).submit(charge, { order: id }, { tags: ["web"], tenant: "acme" });
        if (fails) throw new Error("back");
      });
      order(1, false);
      assert.throws(() => order(2, true), /back/);
      order(3, false);
      await until("two jobs have completed", async () => (await millrace.count({ status: "completed" })) === 2);
      await until("the rows are deleted", () => rowsOf("millrace_outbox", "id").length === 0);
      const jobs = await millrace.list({ tenant: "acme" });
      assert.deepEqual(jobs.map(({ result }) => (result as { charged: number }).charged).sort(), [1, 3]);
      assert.deepEqual(rowsOf("customer_order", "id"), [1, 3]);
    });
  }

  test("stores the step of ctx.transaction() with the processor's writes", async (t) => {
    const { db, store, rowsOf } = await openApp(t);
    const book = defineKind({
      name: "book",
      payload: z.object({ order: z.number() }),
      retry: { baseMs: 1 },
      run: async (ctx: Context, { order }) => {
        const booked = await ctx.transaction("book", db, (tx) => {
          tx.prepare(INSERT_ORDER).run(order);
          return { order };
        });
        if (ctx.attempt === 1) throw new Error("again");
        const failing = ctx.transaction("undone", db, (tx) => {
          tx.prepare(INSERT_ORDER).run(order + 1);
          throw new Error("back");
        });
        await assert.rejects(failing, /back/);
        return { ...booked, attempt: ctx.attempt };
      },
    });
    const millrace = await Millrace.open({ store, kinds: [book], log: false });
    t.after(() => millrace.stop());
    const job = await millrace.submit(book, { order: 7 });
    assert.deepEqual(await job.wait(), { order: 7, attempt: 2 });
    assert.deepEqual(rowsOf("customer_order", "id"), [7]);
    assert.deepEqual(rowsOf("millrace_step", "name"), ["book"]);
  });
});
