// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { migratedDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { PostgresProxy } from "../../../../../../test/support/postgres-proxy.ts";
import { planOf } from "../../contract/rig.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { PostgresStore } from "../store.ts";

removeDatabasesAfterwards();

/** One transaction of these takes longer than a statement or a transaction of a running process may. */
const KINDS = Array.from({ length: 8 }, (_, n) => planOf(`kind-${n}`, ["first", "second"]));
const DELAY_MS = 60;

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
