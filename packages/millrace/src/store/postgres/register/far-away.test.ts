// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { migratedDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { PostgresProxy } from "../../../../../../test/support/postgres-proxy.ts";
import { planOf } from "../../contract/rig.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { nowBy } from "../connection/clock.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";

removeDatabasesAfterwards();

/** One transaction of these takes longer than a statement or a transaction of a running process may. */
const KINDS = Array.from({ length: 8 }, (_, n) => planOf(`kind-${n}`, ["first", "second"]));
const DELAY_MS = 60;
/** As a process does that finds the lease of another one expired. */
const BURY = "UPDATE millrace.instance SET expires_at = 0; DELETE FROM millrace.worker";
const STATE = `SELECT expires_at > ${nowBy("NULL::bigint")} AS leased, (SELECT count(*)::int FROM millrace.worker) AS workers
  FROM millrace.instance`;

test("processes with many kinds start together on a database that is far away", async (t) => {
  const { proxy, url } = await PostgresProxy.start(await migratedDatabase());
  const stores = [new PostgresStore({ url, leaseMs: 60_000 }), new PostgresStore({ url, leaseMs: 60_000 })];
  t.after(async () => {
    proxy.delayMs = 0;
    for (const store of stores) await store.close();
    await proxy.close();
  });
  for (const store of stores) await store.open(NO_EVENTS);
  proxy.delayMs = DELAY_MS;
  const startedAt = performance.now();
  await Promise.all(stores.map((store) => store.register(KINDS)));
  assert.ok(performance.now() - startedAt > 8_000, "each took longer than its statements may");
  proxy.delayMs = 0;
  const [answer] = (await stores[0]?.submit([{ tenant: "default", jobs: [{ kind: "kind-7", payload: "1" }] }])) ?? [];
  assert.equal(answer?.type, "accepted");
});

test("a process that was declared dead on a database that is far away gets its workers back, and renews its lease meanwhile", async (t) => {
  const direct = await migratedDatabase();
  const { proxy, url } = await PostgresProxy.start(direct);
  const database = new ConnectionPool(new DatabaseTarget(direct), { most: 1, limitMs: 4_000, name: "test" });
  const store = new PostgresStore({ url, leaseMs: 4_000 });
  t.after(async () => {
    proxy.delayMs = 0;
    await store.close();
    await database.close();
    await proxy.close();
  });
  await store.open(NO_EVENTS);
  await store.register(KINDS);
  proxy.delayMs = 1.5 * DELAY_MS;
  await database.run(BURY);
  const buriedAt = performance.now();
  let leasedAt: number | undefined;
  for (;;) {
    const [row] = await database.run<{ leased: boolean; workers: number }>(STATE);
    const now = performance.now();
    if (row?.leased) leasedAt ??= now;
    assert.ok(row?.leased || leasedAt === undefined, "the lease ran out again");
    if (row?.workers === KINDS.length) break;
    assert.ok(now - buriedAt < 50_000, "it has no workers");
    await pause(100);
  }
  assert.ok(performance.now() - (leasedAt as number) > 4_700, "it took longer than a transaction may");
});
