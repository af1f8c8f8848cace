// runtimes: bun or node
// Relays of outboxes that are stopped and killed, and rows that commit in another order than they were inserted in.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Millrace, postgres, type StoreFactory, sqlite } from "millrace";
import { outbox } from "millrace/outbox";
import pg from "pg";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { RUNTIME, run } from "../support/program.ts";
import { scaled } from "../support/slowness.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { noted } from "./support/kinds.ts";

removeDatabasesAfterwards();

const REVERSED = rounds("FAULT_REVERSED", 40, 1_000);
const KILLS = rounds("FAULT_KILLS", 4, 300);
const STOPS = rounds("FAULT_STOPS", 1, 20);
/** The calls before it ask for the identity, the backlog and the rows. */
const FIRST_REMOVAL = 3;
const RELAYER = fileURLToPath(new URL("./support/relayer.ts", import.meta.url));
const INSERT = "INSERT INTO millrace_outbox (id, kind, payload) VALUES ";

interface Application {
  /** The addresses of the store and of the application's database. */
  store: string;
  app: string;
  factory: StoreFactory;
  insert(rows: number[]): Promise<void>;
  count(): Promise<number>;
  /** A process that was stopped in the middle of a write holds a lock that no lease can end. */
  isLocked(): boolean;
}

/** One database for the store and the application's tables. */
async function onPostgres(t: TestContext): Promise<Application & { pool: pg.Pool }> {
  const app = await freshDatabase();
  const pool = new pg.Pool({ connectionString: app });
  t.after(() => pool.end());
  await outbox.postgres(pool).init();
  return {
    store: app,
    app,
    factory: postgres(app),
    pool,
    insert: async (rows) => void (await pool.query(INSERT + rows.map(valuesOf).join(", "))),
    count: async () => Number((await pool.query("SELECT count(*) AS count FROM millrace_outbox")).rows[0].count),
    // Only the rows of its own transaction wait, which the other relay leaves alone.
    isLocked: () => false,
  };
}

async function onSqlite(t: TestContext): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-outbox-"));
  const app = join(folder, "app.db");
  const store = join(folder, "jobs.db");
  const db = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(app, { timeout: 5_000 });
  db.exec("PRAGMA journal_mode = WAL");
  t.after(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await outbox.sqlite(db).init();
  return {
    store,
    app,
    factory: sqlite(store),
    insert: async (rows) => void db.exec(INSERT + rows.map(valuesOf).join(", ")),
    count: async () => (db.prepare("SELECT count(*) AS count FROM millrace_outbox").get() as { count: number }).count,
    isLocked: () => [app, store].some(isLockedFile),
  };
}

/** Whether nobody gets the write lock of the file within the time that a busy process needs. */
function isLockedFile(path: string): boolean {
  const db = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(path, { timeout: scaled(2_000) });
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch (error) {
    if (/locked|busy/.test(String(error))) return true;
    throw error;
  } finally {
    db.close();
  }
}

const valuesOf = (row: number) => `('${randomUUID()}', 'noted', '{"row":${row}}')`;

/** The rows of all jobs that the store has, in order. */
async function rowsOf(factory: StoreFactory): Promise<number[]> {
  const millrace = await Millrace.open({ store: factory, kinds: [noted], work: false, log: false });
  try {
    const rows: number[] = [];
    let beforeId: string | undefined;
    for (;;) {
      const page = await millrace.list({ limit: 200, ...(beforeId !== undefined && { beforeId }) });
      rows.push(...page.map(({ payload }) => (payload as { row: number }).row));
      if (page.length < 200) return rows.sort((a, b) => a - b);
      beforeId = page.at(-1)?.jobId;
    }
  } finally {
    await millrace.stop();
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

test(`of ${REVERSED} pairs of transactions that commit in reverse order no row is missed`, {
  timeout: 120_000 + REVERSED * 200,
}, async (t) => {
  const { factory, pool, count } = await onPostgres(t);
  const millrace = await Millrace.open({
    store: factory,
    kinds: [noted],
    outboxes: [outbox.postgres(pool, { pollMs: 1 })],
    work: false,
    log: false,
  });
  t.after(() => millrace.stop());
  const [first, second] = [await pool.connect(), await pool.connect()];
  try {
    for (let pair = 0; pair < REVERSED; pair++) {
      await first.query("BEGIN");
      await first.query(INSERT + valuesOf(pair * 2));
      await second.query("BEGIN");
      await outbox.within(second).submit(noted, { row: pair * 2 + 1 });
      await second.query("COMMIT");
      // The relay takes the later row before the earlier one is there.
      if (pair % 2 === 0) await until("the second is taken", async () => (await count()) === 0);
      await first.query("COMMIT");
    }
  } finally {
    for (const client of [first, second]) client.release(true);
  }
  await until("all rows are taken", async () => (await count()) === 0);
  assert.deepEqual(await rowsOf(factory), upTo(REVERSED * 2));
});

for (const [name, open] of [
  ["PostgreSQL", onPostgres],
  ["SQLite", onSqlite],
] as const) {
  describe(`an outbox on ${name}`, () => {
    test(`has one job for each row after ${KILLS} kills of its relay`, {
      timeout: 120_000 + KILLS * 20_000,
    }, async (t) => {
      const { store, app, factory, insert, count } = await open(t);
      const whens = ["before", "during", "after", "behind"];
      for (let round = 0; round < KILLS; round++) {
        await insert([round * 2, round * 2 + 1]);
        // The first kill is between the commit of the jobs and the deletion of their rows.
        const at = String(round === 0 ? FIRST_REMOVAL : Math.floor(Math.random() * 8));
        const when = whens[round % whens.length] as string;
        await run(t, [...RUNTIME, RELAYER, store, app, at, when]).ended();
      }
      const last = run(t, [...RUNTIME, RELAYER, store, app]);
      await until("all rows are taken", async () => (await count()) === 0);
      last.child.kill("SIGKILL");
      await last.ended();
      assert.deepEqual(await rowsOf(factory), upTo(KILLS * 2));
    });

    test(`has one job for each row when a relay is stopped past its lease, ${STOPS} times`, {
      timeout: 120_000 + STOPS * 30_000,
    }, async (t) => {
      const { store, app, factory, insert, count, isLocked } = await open(t);
      const relays = [0, 1].map(() => run(t, [...RUNTIME, RELAYER, store, app]));
      for (const relay of relays) await relay.said(/ready/);
      let next = 0;
      const insertSome = async (many: number) => {
        for (let i = 0; i < many; i++) await insert(upTo(5).map(() => next++));
      };
      for (let round = 0; round < STOPS * 2; round++) {
        const stopped = relays[round % 2];
        const flood = insertSome(30);
        stopped?.child.kill("SIGSTOP");
        while (isLocked()) {
          stopped?.child.kill("SIGCONT");
          await insertSome(1);
          stopped?.child.kill("SIGSTOP");
        }
        await flood;
        await until("the other relay takes over", async () => (await count()) === 0);
        // It goes on where it stood, with what it had read.
        stopped?.child.kill("SIGCONT");
        await insertSome(5);
      }
      await until("all rows are taken", async () => (await count()) === 0);
      for (const relay of relays) {
        relay.child.kill("SIGKILL");
        await relay.ended();
      }
      assert.deepEqual(await rowsOf(factory), upTo(next));
    });
  });
}
