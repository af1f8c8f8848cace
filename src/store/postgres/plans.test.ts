// runtimes: bun

import assert from "node:assert/strict";
import { test } from "node:test";
import { MAIL } from "../../../test/support/mail.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../../test/support/postgres.ts";
import { until } from "../../../test/support/until.ts";
import { NO_EVENTS } from "../contract/thread.ts";
import { Pool } from "./connections.ts";
import { PostgresStore } from "./store.ts";
import { Target } from "./target.ts";

removeDatabasesAfterwards();

const PATIENCE_MS = 30_000;
const SESSIONS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
const READ_WHOLE = "SELECT sum(seq_scan)::int AS times FROM pg_stat_user_tables WHERE relname IN ('job', 'finished')";

test("plans made while the queue is empty read no table from end to end: they are kept until it is full", async (t) => {
  const url = await freshDatabase();
  const look = new Pool(new Target(url), { most: 1, limitMs: 5_000, name: "test" });
  t.after(() => look.close());
  const timesRead = async () => {
    // What a session did is counted for sure once it has ended.
    await until("the store's sessions are over", async () => (await look.run(SESSIONS)).length === 0, PATIENCE_MS);
    return (await look.run<{ times: number }>(READ_WHOLE))[0]?.times ?? 0;
  };

  await withStore(url, (store) => store.register([MAIL]));
  await look.run("VACUUM ANALYZE millrace.job");
  const before = await timesRead();
  await withStore(url, async (store) => {
    for (const count of [1, 5, 60, 60, 60, 60, 60, 60, 60, 1, 5]) {
      await store.submit([
        { tenant: "default", jobs: Array.from({ length: count }, () => ({ kind: "mail", payload: "1" })) },
      ]);
      const slots = Array.from({ length: count }, (_, slot) => slot);
      const { jobs } = await store.claim({ kind: "mail", stage: "running", slots, suspects: 0 });
      assert.equal(jobs.length, count);
      await Promise.all(jobs.map(({ lease }) => store.settle(lease, { type: "completed", output: "1" })));
    }
  });
  assert.equal(await timesRead(), before);
});

for (const how of ["nestloop", "hashjoin", "mergejoin"]) {
  test(`tenants take turns in order, however a claim is planned: with ${how} alone`, async () => {
    const others = ["nestloop", "hashjoin", "mergejoin"].filter((each) => each !== how);
    const options = others.map((other) => `-c enable_${other}=off`).join(" ");
    const url = new URL(await freshDatabase());
    url.searchParams.set("options", options);
    await withStore(url.href, async (store) => {
      await store.register([MAIL]);
      for (const tenant of ["a", "b", "c", "d", "e"]) {
        await store.submit([{ tenant, jobs: Array.from({ length: 6 }, () => ({ kind: "mail", payload: "1" })) }]);
      }
      const served: string[] = [];
      for (let i = 0; i < 15; i++) {
        const { jobs } = await store.claim({ kind: "mail", stage: "running", slots: [2 * i, 2 * i + 1], suspects: 0 });
        served.push(...jobs.map(({ tenant }) => tenant));
      }
      assert.equal(served.join(""), "abcde".repeat(6));
    });
  });
}

async function withStore(url: string, act: (store: PostgresStore) => Promise<unknown>): Promise<void> {
  const store = new PostgresStore({ url, durability: "normal" });
  await store.open(NO_EVENTS);
  try {
    await act(store);
  } finally {
    await store.close();
  }
}
