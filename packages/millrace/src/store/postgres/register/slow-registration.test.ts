// runtimes: bun
// What goes on while the registration of another process takes long, as on a database that is far away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { migratedDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { PostgresProxy } from "../../../../../../test/support/postgres-proxy.ts";
import { until } from "../../../../../../test/support/until.ts";
import { MAIL } from "../../contract/rig.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";

removeDatabasesAfterwards();

const LEASE_MS = 2_000;
/** A registration holds this row from its first statement on. */
const HOLD = "UPDATE millrace.meta SET value = value WHERE name = 'names_version'";
const LEFT =
  "SELECT name, expires_at, (SELECT count(*)::int FROM millrace.worker WHERE instance = id) AS workers FROM millrace.instance";
const REQUEST = { kind: "mail", stage: "running", slots: [0], suspects: 1 };

test("a process that registers for long holds up neither the jobs of a dead process nor a process that stops", async (t) => {
  const direct = await migratedDatabase();
  const { proxy, url } = await PostgresProxy.start(direct);
  const database = new ConnectionPool(new DatabaseTarget(direct), { most: 2, limitMs: 60_000, name: "test" });
  const open = async (url: string, instanceName: string) => {
    const store = new PostgresStore({ url, leaseMs: LEASE_MS, instanceName });
    t.after(() => store.close().catch(() => {}));
    await store.open(NO_EVENTS);
    await store.register([MAIL]);
    return store;
  };
  t.after(() => database.close());
  const dies = await open(url, "dies");
  const stops = await open(direct, "stops");
  await dies.submit([{ tenant: "default", jobs: [{ kind: "mail", payload: "1" }] }]);
  const { jobs } = await dies.claim(REQUEST);
  assert.equal(jobs.length, 1);

  const lives = await open(direct, "lives");
  await database.transact(async (registration) => {
    await registration.run(HOLD);
    await proxy.close();
    await until("the job is taken back", async () => (await lives.claim(REQUEST)).jobs.length === 1);
    await stops.drain();
    await stops.close();
  });
  await until("the workers of both are gone", async () => {
    const rows = await database.run<{ name: string; expires_at: number; workers: number }>(LEFT);
    return rows.every(({ name, expires_at, workers }) => name === "lives" || (expires_at === 0 && workers === 0));
  });
});
