// runtimes: bun

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { MAIL } from "../../../../../../test/support/mail.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";

removeDatabasesAfterwards();

/** Longer than a statement may wait for a lock. */
const LOCKED_MS = 4_500;

test("the last log lines of jobs are kept though their table is locked while the jobs end", async (t) => {
  const url = await freshDatabase();
  const store = new PostgresStore({ url, leaseMs: 60_000 });
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 2, limitMs: 30_000, name: "test" });
  t.after(async () => {
    await look.close();
    await store.close();
  });
  await store.open(NO_EVENTS);
  await store.register([MAIL]);
  const [kind, stage] = [MAIL.name, MAIL.stages[0]?.name as string];
  await store.submit([{ tenant: "a", jobs: [1, 2, 3].map((n) => ({ kind, payload: `${n}` })) }]);
  const { jobs } = await store.claim({ kind, stage, slots: [0, 1, 2], suspects: 0 });
  assert.equal(jobs.length, 3);
  const locked = look.transact(async (tx) => {
    await tx.run("LOCK TABLE millrace.log IN EXCLUSIVE MODE");
    await delay(LOCKED_MS);
  });
  await delay(100);
  // As the pool does: the settle follows its note at once.
  const notes = jobs.map(({ lease }) =>
    store.note(lease, { progress: { value: 1 }, logs: [{ at: 1, level: "info", message: lease.jobId }] }),
  );
  const settled = jobs.map(({ lease }) => store.settle(lease, { type: "completed", result: "1" }));
  await locked;
  assert.deepEqual(await Promise.all(notes), ["written", "written", "written"]);
  for (const { written } of await Promise.all(settled)) assert.equal(written, "written");
  for (const { lease } of jobs) {
    const lines = await store.logs(lease.jobId, { limit: 10 });
    assert.deepEqual(
      lines.map(({ message }) => message),
      [lease.jobId],
    );
  }
});

test("a note that is sent again writes no line twice", async (t) => {
  const store = new PostgresStore({ url: await freshDatabase() });
  t.after(() => store.close());
  await store.open(NO_EVENTS);
  await store.register([MAIL]);
  const [kind, stage] = [MAIL.name, MAIL.stages[0]?.name as string];
  await store.submit([{ tenant: "a", jobs: [{ kind, payload: "1" }] }]);
  const { jobs } = await store.claim({ kind, stage, slots: [0], suspects: 0 });
  const lease = jobs[0]?.lease as (typeof jobs)[number]["lease"];
  const first = { at: 5, level: "info", message: "one" } as const;
  await store.note(lease, { logs: [first, first] });
  await store.note(lease, { logs: [first, first, { ...first, message: "two" }], again: true });
  const lines = await store.logs(lease.jobId, { limit: 10 });
  assert.deepEqual(
    lines.map(({ message }) => message),
    ["one", "one", "two"],
  );
});
