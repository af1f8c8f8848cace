// runtimes: bun
// time-limit: 300 s

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import type { AppError } from "../../../lib/app-error.ts";
import { describeThread, NO_EVENTS } from "../../contract/thread.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { toAppError } from "../connection/errors.ts";
import { inspect } from "../connection/inspect.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";

const LEASE_MS = 1_500;

removeDatabasesAfterwards();

describeThread("postgres", {
  leaseMs: LEASE_MS,
  make: async () => {
    const url = await freshDatabase();
    const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
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

test("a connection that is not as safe as the address asks is refused with a sentence", async () => {
  const url = new URL(await freshDatabase());
  url.searchParams.set("sslmode", "require");
  const store = new PostgresStore({ url: url.href });
  await assert.rejects(store.open(NO_EVENTS), (error: AppError) => {
    assert.equal(error.code, "store-refused");
    assert.match(`${error.message} ${error.hint}`, /the server does not offer it\. Switch TLS on at the server/);
    return true;
  });
  const wrong = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
  assert.equal(toAppError(wrong).code, "store-refused");
});

test("a port where another kind of server listens is refused with a sentence that says so", async (t) => {
  const server = createServer((_request, response) => response.end("no database")).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const sslmode of ["disable", "require"]) {
    const store = new PostgresStore({ url: `postgres://me@127.0.0.1:${port}/jobs?sslmode=${sslmode}` });
    await assert.rejects(store.open(NO_EVENTS), (error: AppError) => {
      assert.equal(error.code, "store-unavailable");
      assert.match(`${error.message} ${error.hint}`, /closed before a session began.*may not be PostgreSQL/);
      return true;
    });
  }
});

test("a newer schema that breaks us is refused, one that only adds is not", async () => {
  const url = await freshDatabase();
  const store = new PostgresStore({ url });
  await store.open(NO_EVENTS);
  await store.close();
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
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

test("jobs of claims whose answers were lost go back, however many, and no attempt is burned", async (t) => {
  const url = await freshDatabase();
  const store = new PostgresStore({ url, leaseMs: LEASE_MS });
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
  t.after(async () => {
    await look.close();
    await store.close();
  });
  await store.open(NO_EVENTS);
  const stage = { name: "running", maxAttempts: 1, maxCrashes: 1, retry: { baseMs: 1, maxMs: 1 } };
  await store.register([{ name: "mail", stages: [stage], retention: { finishedMs: 60_000, deadLetterMs: 60_000 } }]);
  const jobs = Array.from({ length: 900 }, () => ({ kind: "mail", payload: "1" }));
  await store.submit([{ tenant: "default", jobs }]);
  // As such a claim leaves them: by the book this process holds them, for longer than any answer takes.
  await look.run(`UPDATE millrace.job SET standing = 4, token = token + 1, attempt = 1, slot = 0, holder = (SELECT max(id) FROM millrace.instance),
    started_at = floor(extract(epoch FROM now()) * 1000) - 60000`);
  const taken = new Set<string>();
  while (taken.size < jobs.length) {
    const slots = Array.from({ length: 500 }, (_, slot) => slot);
    const { jobs: claimed } = await store.claim({ kind: "mail", stage: "running", slots, suspects: 0 });
    for (const { lease, attempt, crashes } of claimed) {
      assert.deepEqual([attempt, crashes], [1, 0]);
      taken.add(lease.jobId);
    }
    if (claimed.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
