// runtimes: bun or node
// time-limit: 360 s
// Processes that submit, signal and store steps in their own transactions are killed at random moments. FAULT_KILLS=1000 is the long run.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { JobHandle } from "millrace";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { RUNTIME, run } from "../support/program.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { bookingOn, parcel } from "./support/kinds.ts";
import { openShop } from "./support/shop.ts";

removeDatabasesAfterwards();

const BOOKER = fileURLToPath(new URL("./support/booker.ts", import.meta.url));
/** The statements of a transaction that completes its stage, from that of the work itself to the commit. */
const STATEMENTS = 12;
const KILLS = rounds("FAULT_KILLS", 4, 1_000);
const OPEN = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
const UNDELIVERED = "SELECT 1 FROM millrace.signal_caller LIMIT 1";
const SIGNALLER = fileURLToPath(new URL("./support/signaller.ts", import.meta.url));
const TRANSACTOR = fileURLToPath(new URL("./support/transactor.ts", import.meta.url));

test(`after ${KILLS} kills there is one job for each order that was committed, and no other`, {
  timeout: 60_000 + KILLS * 10_000,
}, async (t) => {
  const { millrace, pool, orders, url } = await openShop(t, { work: false, finishedRetentionMs: 3_600_000 });
  for (let round = 0; round < KILLS; round++) {
    const transactor = run(t, [...RUNTIME, TRANSACTOR, url, String(round * 1_000_000)]);
    await transactor.said(/ready/);
    const before = (await orders()).length;
    await until("it commits", async () => (await orders()).length > before);
    await pause(Math.random() * 100);
    transactor.child.kill("SIGKILL");
    await transactor.ended();
  }
  // The server ends the transactions of dead clients by itself.
  await until("no transaction is open", async () => (await pool.query(OPEN)).rows.length === 0);
  const { rows } = await pool.query(
    `SELECT (payload::json ->> 'order')::int AS id FROM millrace.every_job ORDER BY id`,
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    await orders(),
  );
  assert.ok((await millrace.count()) >= KILLS);
});

test(`after ${KILLS} kills there is one signal for each order that was committed, and no other`, {
  timeout: 60_000 + KILLS * 10_000,
}, async (t) => {
  const { millrace, pool, orders, url } = await openShop(t, { work: false });
  await millrace.submit(parcel, { order: 0 });
  for (let round = 0; round < KILLS; round++) {
    const signaller = run(t, [...RUNTIME, SIGNALLER, url, String((round + 1) * 1_000_000)]);
    await signaller.said(/ready/);
    const before = (await orders()).length;
    await until("it commits", async () => (await orders()).length > before);
    await pause(Math.random() * 50);
    signaller.child.kill("SIGKILL");
    await signaller.ended();
    // No job takes more than a thousand signals.
    await until("all is delivered", async () => (await pool.query(UNDELIVERED)).rows.length === 0);
    await pool.query("UPDATE millrace.signal SET state = 1");
  }
  await until("no transaction is open", async () => (await pool.query(OPEN)).rows.length === 0);
  await until("all is delivered", async () => (await pool.query(UNDELIVERED)).rows.length === 0);
  const { rows } = await pool.query(
    "SELECT (value::json ->> 'amount')::int AS id FROM millrace.signal WHERE reason IS NULL ORDER BY id",
  );
  const ids = rows.map(({ id }) => id);
  assert.deepEqual(ids, await orders());
});

test(`after ${KILLS} kills at the statements of ctx.transaction() each job has booked its order once`, {
  timeout: 60_000 + KILLS * 20_000,
}, async (t) => {
  // This process only submits.
  const booking = bookingOn(undefined as never);
  const { millrace, orders, url } = await openShop(t, { work: false, kinds: [booking], leaseMs: 3_000 });
  const first = Math.floor(Math.random() * STATEMENTS);
  const jobs: JobHandle<{ order: number }>[] = [];
  for (let round = 0; round < KILLS; round++) {
    const order = round + 1;
    jobs.push(await millrace.submit(booking, { order, complete: round % 2 === 0 }));
    const at = String((first + round) % STATEMENTS);
    const booker = run(t, [...RUNTIME, BOOKER, url, String(order), at, Math.random() < 0.5 ? "before" : "after"]);
    // It may be killed by a job of an earlier round before it says so.
    await booker.said(/ready/).catch(() => booker.ended());
    // A transaction with fewer statements is not killed in the middle.
    await Promise.race([booker.ended(), jobs.at(-1)?.wait()]);
    booker.child.kill("SIGKILL");
    await booker.ended();
  }
  await openBooker(t, url);
  const results = await Promise.all(jobs.map((job) => job.wait()));
  const expected = Array.from({ length: KILLS }, (_, i) => i + 1);
  assert.deepEqual(
    results.map(({ order }) => order),
    expected,
  );
  assert.deepEqual(await orders(), expected);
});

async function openBooker(t: TestContext, url: string): Promise<void> {
  await run(t, [...RUNTIME, BOOKER, url, "0", "0", ""]).said(/ready/);
}
