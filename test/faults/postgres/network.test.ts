// time-limit: 300 s

import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { PostgresProxy } from "../../support/postgres-proxy.ts";
import { until } from "../../support/until.ts";
import { PostgresCrew } from "../support/postgres-crew.ts";

const LEASE_MS = 3_000;
const settings = { leaseMs: LEASE_MS };
const SUBMITS = { kinds: ["single" as const], pauseMs: 10, lanes: 3, again: "submitter" };

removeDatabasesAfterwards();

test("connections that were cut off silently are given up, and the work goes on", { timeout: 90_000 }, async (t) => {
  const crew = await PostgresCrew.gather(t);
  const direct = crew.db;
  const { proxy, url } = await PostgresProxy.start(direct);
  t.after(() => proxy.close());
  const healthy = await crew.ready("healthy", { settings, works: ["single"] });
  crew.db = url;
  const cut = await crew.ready("cut", { settings, works: ["single"] });
  crew.db = direct;
  const submitter = await crew.ready("submitter", { settings, submits: SUBMITS });
  await until("both work", () => [healthy, cut].every((each) => crew.all("settled", each).length > 5), 20_000);
  proxy.cutOff();
  // New connections pass: it finds its way back by itself, long after its leases were taken from it.
  const cutAt = crew.all("settled", cut).length;
  await until("the one that was cut off works again", () => crew.all("settled", cut).length > cutAt + 5, 40_000, 200);
  await submitter.ask({ do: "stop-submitting" });
  await crew.allFinished(LEASE_MS + 20_000);
  for (const member of [healthy, cut, submitter]) assert.equal((await member.stop()).code, 0, member.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});

test("without notifications work is found by polling", { timeout: 60_000 }, async (t) => {
  const crew = await PostgresCrew.gather(t);
  const direct = crew.db;
  const { proxy, url } = await PostgresProxy.start(direct, "deaf");
  t.after(() => proxy.close());
  crew.db = url;
  const worker = await crew.ready("worker", { works: ["single"] });
  const submitter = await crew.ready("submitter", {});
  const waits: number[] = [];
  for (let i = 0; i < 5; i++) {
    // At another moment between two polls each time.
    await new Promise((resolve) => setTimeout(resolve, 170 * i));
    const since = Date.now();
    const [jobId] = await submitter.submit("single", [{ key: `deaf ${i}` }]);
    const claimed = () => crew.all("claimed", worker).find((event) => event.jobId === jobId);
    await until("it is claimed", () => claimed() !== undefined, 10_000);
    waits.push((claimed()?.at ?? 0) - since);
  }
  console.log(`postgres-network.test: found by polling after ${waits.join(", ")} ms`);
  await crew.allFinished(10_000);
  for (const member of [worker, submitter]) assert.equal((await member.stop()).code, 0, member.words);
  assert.deepEqual(await crew.found(), []);
});

test("with two connections for a flood of calls nobody waits for ever", { timeout: 60_000 }, async (t) => {
  const crew = await PostgresCrew.gather(t);
  crew.db = `${crew.db}?connections=2`;
  const worker = await crew.ready("worker", { works: ["single", "five"], kindOptions: { processors: 50 } });
  const submitter = await crew.ready("submitter", {});
  const errands = Array.from({ length: 150 }, (_, i) => ({ key: `flood ${i}`, steps: 2 }));
  await Promise.all([submitter.submit("single", errands.slice(0, 75)), submitter.submit("five", errands.slice(75))]);
  await crew.allFinished(40_000);
  for (const member of [worker, submitter]) assert.equal((await member.stop()).code, 0, member.words);
  assert.deepEqual(await crew.found(), []);
});

test("somebody else's long transaction, and its lock on a job, hold up nobody but that job", {
  timeout: 60_000,
}, async (t) => {
  const crew = await PostgresCrew.gather(t);
  const gate = crew.gate("work");
  const worker = await crew.ready("worker", { settings, works: ["single"] });
  const [lockedId] = await worker.submit("single", [{ key: "locked", gate }]);
  await until("it runs", () => crew.all("attempt-started").some(({ jobId }) => jobId === lockedId), 10_000);
  const other = new pg.Client({ connectionString: crew.db });
  await other.connect();
  t.after(() => other.end());
  await other.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await other.query("SELECT * FROM millrace.job FOR UPDATE");
  crew.open(gate);
  const keys = Array.from({ length: 20 }, (_, i) => ({ key: `free ${i}` }));
  await worker.submit("single", keys);
  const settled = () => crew.all("settled").length;
  await until("the others are done", () => settled() >= keys.length, 20_000);
  await other.query("COMMIT");
  await crew.allFinished(20_000);
  assert.equal((await worker.stop()).code, 0, worker.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
});
