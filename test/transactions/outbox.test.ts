// runtimes: both
// Jobs that exist if and only if a transaction of the application on its own database commits.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { defineKind, Millrace, type MillraceOptions, sqlite } from "millrace";
import { type Outbox, outbox } from "millrace/outbox";
import { z } from "zod";
import { until } from "../support/until.ts";

const charge = defineKind({
  name: "charge",
  payload: z.object({ order: z.number() }),
  uniqueKey: ({ order }) => (order < 0 ? `o${order}` : undefined),
  run: (_ctx, { order }) => ({ charged: order }),
});
const mail = defineKind({ name: "mail", payload: z.object({}), run: () => "sent" });

interface App {
  folder: string;
  path: string;
  db: DatabaseSync;
  rows(): number;
  open(options?: Partial<MillraceOptions>): Promise<Millrace>;
}

const INSERT = "INSERT INTO millrace_outbox (id, kind, payload, options, tenant) VALUES (?, ?, ?, ?, ?)";

async function openApp(t: TestContext, outboxes?: (path: string) => Outbox[]): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-outbox-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "app.db");
  const db = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(path);
  await outbox.sqlite(db).init();
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("CREATE TABLE customer_order (id INTEGER PRIMARY KEY)");
  t.after(() => db.close());
  const open = async (options: Partial<MillraceOptions> = {}) => {
    const millrace = await Millrace.open({
      store: sqlite(join(folder, "jobs.db")),
      kinds: [charge],
      outboxes: outboxes?.(path) ?? [outbox.sqlite(path, { pollMs: 20 })],
      log: false,
      ...options,
    });
    t.after(() => millrace.stop());
    return millrace;
  };
  const rows = () => (db.prepare("SELECT count(*) AS count FROM millrace_outbox").get() as { count: number }).count;
  return { folder, path, db, rows, open };
}

const completed = (millrace: Millrace, count: number) =>
  until(`${count} jobs have completed`, async () => (await millrace.count({ status: "completed" })) === count);

describe("an outbox in a SQLite file", () => {
  test("has a job for each row that is committed, and no other", async (t) => {
    const { db, rows, open } = await openApp(t);
    const millrace = await open();
    const order = (id: number, how: "COMMIT" | "ROLLBACK") => {
      db.exec("BEGIN");
      db.prepare("INSERT INTO customer_order (id) VALUES (?)").run(id);
      const { rowId } = outbox.within(db).submit(charge, { order: id }, { tags: ["web"], tenant: "acme" });
      assert.match(rowId, /^[0-9a-f-]{36}$/);
      db.exec(how);
    };
    order(1, "COMMIT");
    order(2, "ROLLBACK");
    order(3, "COMMIT");
    await completed(millrace, 2);
    await until("the rows are deleted", () => rows() === 0);
    const jobs = await millrace.list({ tenant: "acme" });
    const charged = jobs.map(({ result }) => (result as { charged: number }).charged);
    assert.deepEqual(charged.sort(), [1, 3]);
    assert.deepEqual(
      jobs.map(({ tags }) => tags),
      [["web"], ["web"]],
    );
  });

  test("takes a plain INSERT with all options of a submission", async (t) => {
    const { db, open } = await openApp(t);
    const options = { priority: 3, tags: ["sql"], runAt: "2020-01-01T00:00:00Z", idempotencyKey: "k", traceId: "t1" };
    db.prepare(INSERT).run("a", "charge", '{"order":1}', JSON.stringify(options), null);
    db.prepare(INSERT).run("b", "charge", '{"order":1}', JSON.stringify(options), null);
    const millrace = await open();
    await completed(millrace, 1);
    const [job, ...others] = await millrace.list();
    assert.deepEqual(others, []);
    assert.deepEqual([job?.priority, job?.tags, job?.traceId, job?.tenant], [3, ["sql"], "t1", "default"]);
  });

  test("makes a dead letter of each row that is refused, and says why", async (t) => {
    const { db, rows, open } = await openApp(t);
    const insert = db.prepare(INSERT);
    insert.run("schema", "charge", '{"order":"seven"}', null, null);
    insert.run("json", "charge", "{order", null, null);
    insert.run("options", "charge", '{"order":1}', '{"prioritty":1}', null);
    insert.run("tenant", "charge", '{"order":1}', null, "no such / name");
    insert.run("large", "charge", JSON.stringify({ order: 1, text: "x".repeat(1_048_576) }), null, null);
    insert.run("first", "charge", '{"order":-1}', '{"delayMs":3600000}', null);
    const millrace = await open();
    await until("all rows are taken", () => rows() === 0);
    insert.run("second", "charge", '{"order":-1}', null, null);
    await until("all rows are taken", () => rows() === 0);
    const { jobs } = await millrace.admin.deadLetters({}, { limit: 20, offset: 0 });
    assert.deepEqual(jobs.map(({ failure }) => failure?.code).sort(), [
      "already-queued",
      ...["invalid-request", "invalid-request", "invalid-request", "invalid-request"],
      "too-large",
    ]);
    assert.ok(jobs.some(({ payload }) => payload === "{order"));
    assert.equal(await millrace.count({ status: "pending" }), 1);
  });

  test("keeps rows of a kind until a process knows it, and health says so", async (t) => {
    const { db, rows, open } = await openApp(t);
    db.prepare(INSERT).run("1", "mail", "{}", null, null);
    db.prepare("UPDATE millrace_outbox SET created_at = created_at - 120000").run();
    db.prepare(INSERT).run("2", "charge", '{"order":1}', null, null);
    const millrace = await open({ leaseMs: 400 });
    await completed(millrace, 1);
    await until("health names the outbox", async () => {
      const { status, problems } = await millrace.health();
      return (
        status === "degraded" &&
        /"SQLite app\.db" falls behind: 1 row waits, the oldest for 2 min.*"mail"/.test(problems.join())
      );
    });
    const other = await open({ kinds: [mail], leaseMs: 400 });
    await completed(other, 2);
    assert.equal(rows(), 0);
    await until("health is well again", async () => (await other.health()).status === "ok");
  });

  test("waits while the queue is full, and lets other tenants by", async (t) => {
    const { db, rows, open } = await openApp(t);
    const insert = db.prepare(INSERT);
    for (let i = 0; i < 150; i++) insert.run(`a${i}`, "charge", '{"order":1}', null, "busy");
    insert.run("z", "charge", '{"order":2}', null, "other");
    const millrace = await open({ maxNewJobsPerMinute: 1 });
    await completed(millrace, 2);
    assert.deepEqual((await millrace.list()).map(({ tenant }) => tenant).sort(), ["busy", "other"]);
    assert.equal(rows(), 149);
  });

  test("refuses a submission before anything is written", async (t) => {
    const { db, rows } = await openApp(t);
    const jobs = outbox.within(db);
    assert.throws(() => jobs.submit(charge, { order: "x" as never }), { code: "invalid-request" });
    assert.throws(() => jobs.submit(charge, { order: 1 }, { prioritty: 1 } as never), /Did you mean "priority"/);
    assert.throws(() => jobs.submit(charge, { order: 1 }, { tenant: "/" }), { code: "invalid-request" });
    assert.equal(rows(), 0);
    db.exec("DROP TABLE millrace_outbox");
    assert.throws(() => jobs.submit(charge, { order: 1 }), { code: "table-missing" });
  });

  test("says what is wrong with a database", async (t) => {
    const { folder, open } = await openApp(t, (path) => [outbox.sqlite(`${path}.none`, { pollMs: 20 })]);
    const millrace = await open();
    await until("health names the outbox", async () => {
      const { problems } = await millrace.health();
      return problems.some((each) => each.includes(`There is no file ${join(folder, "app.db.none")}`));
    });
    assert.throws(() => outbox.mysql({} as never), { code: "outbox-unusable" });
    await assert.rejects(Millrace.open({ store: sqlite(":memory:"), outboxes: [{}] as never }), {
      code: "options-invalid",
    });
  });

  test("is relayed by one process at a time, and by the next when that one stops", async (t) => {
    const { db, open } = await openApp(t);
    const first = await open();
    const second = await open();
    const insert = db.prepare(INSERT);
    insert.run("1", "charge", '{"order":1}', null, null);
    await completed(second, 1);
    await first.stop();
    insert.run("2", "charge", '{"order":2}', null, null);
    await completed(second, 2);
    assert.equal((await second.admin.outboxes()).length, 1);
  });
});
