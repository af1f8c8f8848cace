// runtimes: bun

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MAIL } from "../../../../../../test/support/mail.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { until } from "../../../../../../test/support/until.ts";
import type { KindPlan } from "../../../job/kind/plan.ts";
import type { ClaimedJob } from "../../../job/lease.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import type { StoreEvents } from "../../store.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";

removeDatabasesAfterwards();

const PATIENCE_MS = 30_000;
const DONE = { type: "completed", result: "1" } as const;

test("jobs that outlast their bundle are running for everybody, each with its slot", async (t) => {
  const { stores, look } = await open(t, { stores: 2, jobs: 40 });
  const [holder, other] = stores as [PostgresStore, PostgresStore];
  const jobs = await claim(holder, 40);
  assert.equal(await bundled(look), 40);
  await until(
    "all are running for the other",
    async () => (await other.count({ standings: ["running"] })) === 40,
    PATIENCE_MS,
  );
  assert.equal(await bundled(look), 0);
  const [seen] = await other.find([jobs[7]?.lease.jobId as string]);
  assert.deepEqual([seen?.attempt, seen?.processor?.split("#")[1]], [1, String(jobs[7]?.lease.slot)]);
  for (const { lease } of jobs) assert.equal((await holder.settle(lease, DONE)).written, "written");
  assert.equal(await other.count({ standings: ["completed"] }), 40);
});

test("a claim of any size beside others takes no job twice and leaves none", async (t) => {
  const { stores } = await open(t, { stores: 4, jobs: 1_000 });
  const taken: string[] = [];
  await Promise.all(
    stores.map(async (store, i) => {
      for (let vain = 0; vain < 2; ) {
        const jobs = await claim(store, i % 2 === 0 ? 60 : 3);
        if (jobs.length === 0) vain++;
        for (const { lease } of jobs) taken.push(lease.jobId);
      }
    }),
  );
  assert.deepEqual([taken.length, new Set(taken).size], [1_000, 1_000]);
});

test("a bundle's row goes once its jobs are done", async (t) => {
  const { stores, look } = await open(t, { stores: 1, jobs: 100 });
  const [store] = stores as [PostgresStore];
  const jobs = await claim(store, 100);
  await Promise.all(jobs.map(({ lease }) => store.settle(lease, DONE)));
  assert.equal(await store.count({ standings: ["completed"] }), 100);
  await until("no bundle is left", async () => (await bundled(look)) === 0, PATIENCE_MS);
});

test("jobs of a bundle come as they were submitted, the urgent ones first, however large they are", async (t) => {
  const { stores } = await open(t, { stores: 1, jobs: 0 });
  const [store] = stores as [PostgresStore];
  const text = (i: number) => `"\\ ${String.fromCodePoint(0x1f600 + i)}\u2028 ${"x".repeat(i % 3 === 0 ? 20_000 : i)}`;
  const made = Array.from({ length: 40 }, (_, i) => ({
    kind: "mail",
    payload: JSON.stringify({ i, text: text(i) }),
    priority: i % 2,
    ...(i % 5 === 0 && { tags: [`tag ${i}`], timeoutMs: 5_000 + i }),
  }));
  await store.submit([{ tenant: "default", jobs: made }]);
  const jobs = await claim(store, 40);
  const urgentFirst = made.toSorted((a, b) => a.priority - b.priority);
  assert.deepEqual(
    jobs.map(({ payload, priority, tags, timeoutMs }) => ({ payload, priority, tags, timeoutMs })),
    urgentFirst.map(({ payload, priority, tags = [], timeoutMs }) => ({ payload, priority, tags, timeoutMs })),
  );
});

test("a job in a bundle that fails is tried again, and its neighbours are none the worse", async (t) => {
  const { stores } = await open(t, { stores: 1, jobs: 40 });
  const [store] = stores as [PostgresStore];
  const [first, ...others] = await claim(store, 40);
  const failure = { code: "broken", message: "It broke.", permanent: false };
  const failed = await store.settle((first as ClaimedJob).lease, { type: "failed", failure });
  assert.equal(failed.written === "written" && failed.standing, "scheduled");
  for (const { lease } of others) assert.equal((await store.settle(lease, DONE)).written, "written");
  const again = await until(
    "the one that failed is claimed again",
    async () => (await claim(store, 30))[0],
    PATIENCE_MS,
  );
  assert.deepEqual([again?.lease.jobId, again?.attempt], [first?.lease.jobId, 2]);
});

test("a holder is told of a job in its bundle that another process cancels, and cannot complete it", async (t) => {
  const lost: string[] = [];
  const told = (leases: { jobId: string; reason: string }[]) =>
    lost.push(...leases.map(({ jobId, reason }) => `${jobId} ${reason}`));
  const { stores } = await open(t, { stores: 2, jobs: 40, events: { ...NO_EVENTS, lost: told } });
  const [holder, other] = stores as [PostgresStore, PostgresStore];
  const [job] = await claim(holder, 40);
  const { jobId } = (job as ClaimedJob).lease;
  await other.cancel([jobId], "not wanted");
  await until("the holder is told", async () => lost.includes(`${jobId} cancelled`), PATIENCE_MS);
  assert.equal((await holder.settle((job as ClaimedJob).lease, DONE)).written, "lease-lost");
});

test("what a claim took whose answer never came is as it was before", async (t) => {
  const { stores, look } = await open(t, { stores: 1, jobs: 200 });
  const [store] = stores as [PostgresStore];
  const known = await claim(store, 100);
  // As such a claim leaves it, for longer than any answer takes.
  await look.run(`INSERT INTO millrace.bundle (holder, number, started_at, jobs) SELECT (SELECT max(id) FROM millrace.instance), 1000000,
    floor(extract(epoch FROM now()) * 1000) - 60000, (SELECT array_agg(id) FROM millrace.job WHERE id NOT IN (SELECT unnest(jobs) FROM millrace.bundle))`);
  assert.deepEqual(await claim(store, 100), []);
  const rest: ClaimedJob[] = [];
  await until("the rest is claimed", async () => rest.push(...(await claim(store, 100))) === 100, PATIENCE_MS);
  assert.ok(rest.every(({ attempt, crashes }) => attempt === 1 && crashes === 0));
  assert.equal(new Set([...known, ...rest].map(({ lease }) => lease.jobId)).size, 200);
});

test("a job in a bundle that has attempts behind it completes where nothing is kept of it", async (t) => {
  const { stores } = await open(t, { stores: 1, jobs: 40, retention: { finishedMs: "none", deadLetterMs: 60_000 } });
  const [store] = stores as [PostgresStore];
  const [first, ...others] = await claim(store, 40);
  const failure = { code: "broken", message: "It broke.", permanent: false };
  await store.settle((first as ClaimedJob).lease, { type: "failed", failure });
  for (const { lease } of others) assert.equal((await store.settle(lease, DONE)).written, "written");
  const again = await until(
    "the one that failed is claimed again",
    async () => (await claim(store, 30))[0],
    PATIENCE_MS,
  );
  assert.equal((await store.settle((again as ClaimedJob).lease, DONE)).written, "written");
  assert.equal(await store.count({}), 0);
});

test("no job is taken twice where transactions see one snapshot unless told otherwise", async (t) => {
  const { stores } = await open(t, { stores: 4, jobs: 1_000, isolation: "repeatable read" });
  const taken: string[] = [];
  await Promise.all(
    stores.map(async (store) => {
      for (let jobs = await claim(store, 60); jobs.length > 0; jobs = await claim(store, 60))
        taken.push(...jobs.map(({ lease }) => lease.jobId));
    }),
  );
  assert.equal(new Set(taken).size, taken.length);
});

interface Opened {
  stores: PostgresStore[];
  look: ConnectionPool;
}

interface Given {
  stores: number;
  jobs: number;
  events?: StoreEvents;
  retention?: KindPlan["retention"];
  isolation?: string;
}

async function open(
  t: TestContext,
  { stores: count, jobs, events = NO_EVENTS, retention = MAIL.retention, isolation = "read committed" }: Given,
): Promise<Opened> {
  const url = await freshDatabase();
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
  await look.run(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_isolation = '${isolation}'`);
  const stores = Array.from({ length: count }, () => new PostgresStore({ url, durability: "normal" }));
  t.after(async () => {
    await look.close();
    for (const store of stores) await store.close();
  });
  for (const store of stores) await store.open(events);
  const [first] = stores as [PostgresStore];
  await first.register([{ ...MAIL, retention }]);
  const made = Array.from({ length: jobs }, () => ({ kind: "mail", payload: "1" }));
  await first.submit([{ tenant: "default", jobs: made }]);
  return { stores, look };
}

async function claim(store: PostgresStore, count: number): Promise<ClaimedJob[]> {
  const slots = Array.from({ length: count }, (_, slot) => slot);
  return (await store.claim({ kind: "mail", stage: "running", slots, suspects: 0 })).jobs;
}

async function bundled(look: ConnectionPool): Promise<number> {
  const statement = "SELECT coalesce(sum(cardinality(jobs)), 0)::int AS jobs FROM millrace.bundle";
  return (await look.run<{ jobs: number }>(statement, []))[0]?.jobs ?? 0;
}
