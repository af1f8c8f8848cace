// runtimes: bun
// time-limit: 300 s

import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../../../test/support/postgres.ts";
import { describeThread, NO_EVENTS } from "../contract/thread.ts";
import { Pool } from "./connections.ts";
import { inspect } from "./inspect.ts";
import { PostgresStore } from "./store.ts";
import { Target } from "./target.ts";

const LEASE_MS = 1_500;

removeDatabasesAfterwards();

describeThread("postgres", {
  leaseMs: LEASE_MS,
  make: async () => {
    const url = await freshDatabase();
    const look = new Pool(new Target(url), { most: 1, limitMs: 5_000, name: "test" });
    return {
      store: () => new PostgresStore({ url, leaseMs: LEASE_MS, durability: "normal" }),
      inspect: () => inspect(look),
      remove: () => look.close(),
    };
  },
});

test("a server that is not there is refused with a sentence", async () => {
  const store = new PostgresStore({ url: "postgres://nobody@127.0.0.1:1/nowhere" });
  await assert.rejects(store.open(NO_EVENTS), { code: "store-unavailable", message: /ECONNREFUSED/ });
});

test("a newer schema that breaks us is refused, one that only adds is not", async () => {
  const url = await freshDatabase();
  const store = new PostgresStore({ url });
  await store.open(NO_EVENTS);
  await store.close();
  const look = new Pool(new Target(url), { most: 1, limitMs: 5_000, name: "test" });
  await look.run("UPDATE millrace.meta SET value = '99' WHERE name = 'schema'");
  await store.open(NO_EVENTS);
  await store.close();
  await look.run("UPDATE millrace.meta SET value = '99' WHERE name = 'schema_breaking'");
  await assert.rejects(store.open(NO_EVENTS), { code: "schema-newer", message: /schema 99/ });
  await look.close();
});

test("of many that start at once on an empty database one makes the schema", async () => {
  const url = await freshDatabase();
  const stores = Array.from({ length: 4 }, () => new PostgresStore({ url }));
  await Promise.all(stores.map((store) => store.open(NO_EVENTS)));
  assert.equal((await stores[0]?.instances())?.length, 4);
  for (const store of stores) await store.close();
});
