// runtimes: bun or node
// time-limit: 360 s
// Processes are killed at every statement of their transactions: before it is sent, while it runs, and after its answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Millrace, postgres } from "millrace";
import { outbox } from "millrace/outbox";
import pg from "pg";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { RUNTIME, run } from "../support/program.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { KINDS, transact, WORK_COUNT } from "./support/crash-work.ts";
import { openShop } from "./support/shop.ts";
import type { Stop } from "./support/stop.ts";

removeDatabasesAfterwards();

const CRASHER = fileURLToPath(new URL("./support/crasher.ts", import.meta.url));
const WHENS = ["before", "sent", "answered"] as const;
/** Transactions that one process has open when it is killed. */
const LANES = 20;
const OPEN = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
const ROW = "SELECT 1 FROM millrace_outbox LIMIT 1";
const KILLS = rounds("FAULT_STATEMENT_KILLS", 0, 1_000);

/** Each work once to its end: the number of its statements. */
async function countStatements(millrace: Millrace, url: string): Promise<number[]> {
  const counts: number[] = [];
  for (let work = 0; work < WORK_COUNT; work++) {
    let statements = 0;
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    pool.on("connect", (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      Object.assign(client, { query: (...args: unknown[]) => [statements++, query(...args)][1] });
    });
    await transact(millrace, pool, { work, order: -1 - work });
    await pool.end();
    counts.push(statements);
  }
  return counts;
}

/** Every statement in each of the three ways, over and over until there are enough. */
function stopsOf(counts: number[]): Stop[] {
  const each = counts.flatMap((count, work) =>
    Array.from({ length: count }, (_, at) => WHENS.map((when) => ({ work, at, when }))).flat(),
  );
  const length = Math.max(each.length, KILLS);
  return Array.from({ length }, (_, i) => ({ order: i + 1, ...(each[i % each.length] as (typeof each)[number]) }));
}

test("a process that is killed at any statement leaves one job for each order that was committed, and no other", {
  timeout: 240_000 + KILLS * 500,
}, async (t) => {
  const { millrace, pool, orders, url } = await openShop(t, { kinds: KINDS, work: false });
  await outbox.postgres(pool).init();
  const counts = await countStatements(millrace, url);
  const stops = stopsOf(counts);
  for (let from = 0; from < stops.length; from += LANES) {
    const plan = JSON.stringify(stops.slice(from, from + LANES));
    const { signal } = await run(t, [...RUNTIME, CRASHER, url, plan]).ended();
    assert.equal(signal, "SIGKILL");
  }
  // The server ends the transactions of dead clients by itself.
  await until("no transaction is open", async () => (await pool.query(OPEN)).rows.length === 0);
  const worker = await Millrace.open({
    store: postgres(url),
    kinds: KINDS,
    outboxes: [outbox.postgres(pool, { pollMs: 20 })],
    log: false,
  });
  t.after(() => worker.stop());
  const committed = await orders();
  assert.ok(committed.length > counts.length);
  await until("all jobs have ended", async () => (await worker.count({ status: "completed" })) >= committed.length);
  await until("the outbox is empty", async () => (await pool.query(ROW)).rows.length === 0);
  assert.deepEqual(await ordersOfJobs(worker), committed);
});

/** The order of each job that has not given its place to a later one. */
async function ordersOfJobs(millrace: Millrace): Promise<number[]> {
  const found: number[] = [];
  for (let beforeId: string | undefined; ; ) {
    const page = await millrace.list({ limit: 200, ...(beforeId !== undefined && { beforeId }) });
    const kept = page.filter(({ status }) => status !== "cancelled");
    assert.ok(kept.every(({ status }) => status === "completed"));
    found.push(...kept.map(({ payload }) => (payload as { order: number }).order));
    if (page.length < 200) return found.sort((a, b) => a - b);
    beforeId = page.at(-1)?.jobId;
  }
}
