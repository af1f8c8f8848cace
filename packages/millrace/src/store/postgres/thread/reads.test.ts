// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import type { AppError } from "../../../lib/app-error.ts";
import { MAIL } from "../../contract/rig.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { ConnectionPool, Connections } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";

removeDatabasesAfterwards();

test("one tenant's searches hold up no other tenant: the others are answered first", async (t) => {
  const connections = new Connections(new DatabaseTarget(await freshDatabase()));
  t.after(() => connections.close());
  const answered: string[] = [];
  const search = (tenant: string) =>
    connections.searches
      .run(tenant, (db) => db.run("SELECT pg_sleep(0.05)::text AS slept, $1::text AS by", [tenant]))
      .then(() => answered.push(tenant));
  await Promise.all([search("one"), search("two")]); // opens both connections
  answered.length = 0;
  const noisy = Array.from({ length: 20 }, () => search("noisy"));
  const others = [search("quiet"), search("silent")];
  await connections.lists.run("quiet", (db) => db.run("SELECT 1 AS one"));
  await Promise.all(others);
  assert.ok(answered.length <= 6, answered.join(", "));
  await Promise.all(noisy);
  assert.equal(answered.length, 22);
});

test("a search that takes longer than the limit fails with a clear answer, one that waits for its turn too", async (t) => {
  const url = await freshDatabase();
  const store = new PostgresStore({ url, durability: "normal", limits: { queryMs: 300 } });
  await store.open(NO_EVENTS);
  t.after(() => store.close());
  await store.register([MAIL]);
  await store.submit([{ tenant: "acme", jobs: [{ kind: "mail", payload: '"needle"' }] }]);
  const another = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 30_000, name: "test" });
  t.after(() => another.close());
  await another.transact(async (tx) => {
    await tx.run("LOCK TABLE millrace.finished IN ACCESS EXCLUSIVE MODE");
    const refusals = await Promise.all([1, 2, 3].map(() => store.list({ search: "needle" }).catch((error) => error)));
    for (const { code, message, hint } of refusals as AppError[]) {
      assert.equal(code, "query-timeout");
      assert.match(`${message} ${hint}`, /did not finish within 300 ms\. Narrow the filter/);
    }
  });
  assert.equal((await store.list({ search: "needle" })).length, 1);
});
