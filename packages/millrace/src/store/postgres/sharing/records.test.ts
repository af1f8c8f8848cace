// runtimes: bun

import assert from "node:assert/strict";
import { test } from "node:test";
import { PostgresServer } from "../../../../../../test/support/postgres-server.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { PostgresStore } from "../store.ts";

const NAME = { space: "notes", tenant: "default", key: "a" };

test("what was answered about records survives a crash of the server, whatever its settings", async (t) => {
  const server = await PostgresServer.start({ synchronous_commit: "off", wal_writer_delay: "10s" });
  t.after(() => server.remove());
  const admin = new ConnectionPool(new DatabaseTarget(server.url), { most: 1, limitMs: 5_000, name: "test" });
  const store = new PostgresStore({ url: server.url, inline: {} });
  await store.open(NO_EVENTS);
  await store.putRecord({ ...NAME, key: "deleted", value: "1" });
  await admin.run("CHECKPOINT");
  await admin.close();
  // The last alone: a commit that waits for the disk takes those before it along.
  for (const [act, expected] of [
    [() => store.putRecord({ ...NAME, value: "1" }), "1"],
    [() => store.putRecord({ ...NAME, value: "2", ifVersion: 2 }), "2"],
    [() => store.deleteRecord({ ...NAME, key: "deleted" }), undefined],
  ] as const) {
    await act();
    await server.stop("immediate");
    await server.start();
    const found = await store.findRecord(expected === undefined ? { ...NAME, key: "deleted" } : NAME);
    assert.equal(found?.value, expected);
  }
  await store.close();
});
