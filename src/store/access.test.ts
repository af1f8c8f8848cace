import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachStore } from "../../test/support/stores.ts";
import type { ApiKey } from "./store.ts";

forEachStore("keys", (open) => {
  test("a key is found by its id, with all it was given", async (t) => {
    const { store } = await open(t);
    await store.putKey(key("a"));
    await store.putKey(key("b", { scopes: ["submit", "read"], expiresAt: 9_000, createdAt: 2 }));
    assert.deepEqual(await store.findKey("a"), key("a"));
    assert.deepEqual(await store.findKey("c"), undefined);
    assert.deepEqual(await store.keys(), [
      key("b", { scopes: ["submit", "read"], expiresAt: 9_000, createdAt: 2 }),
      key("a"),
    ]);
  });

  test("a key is revoked once, and stays listed with the moment", async (t) => {
    const { store, clock } = await open(t);
    await store.putKey(key("a"));
    assert.equal(await store.revokeKey("a"), true);
    assert.equal(await store.revokeKey("a"), false);
    assert.equal(await store.revokeKey("b"), false);
    assert.equal((await store.findKey("a"))?.revokedAt, clock.now());
  });

  test("a revoked key cannot be put back under its id", async (t) => {
    const { store } = await open(t);
    await store.putKey(key("a"));
    await store.revokeKey("a");
    await assert.rejects(store.putKey(key("a")));
    assert.notEqual((await store.findKey("a"))?.revokedAt, undefined);
  });
});

forEachStore("the audit", (open) => {
  test("is newest first, in pages that neither miss nor repeat", async (t) => {
    const { store, clock } = await open(t);
    for (const target of ["1", "2", "3", "4", "5"]) {
      await store.addAudit({ who: "admin", what: "key revoked", target });
      clock.advance(1_000);
    }
    const first = await store.audit({ limit: 3 });
    const second = await store.audit({ limit: 3, beforeId: first[2]?.id as number });
    assert.deepEqual(
      [...first, ...second].map((entry) => entry.target),
      ["5", "4", "3", "2", "1"],
    );
    assert.equal(first[0]?.at, clock.now() - 1_000);
  });

  test("keeps what was said and nothing else", async (t) => {
    const { store, clock } = await open(t);
    await store.addAudit({ who: "key a", what: "paused", target: "mail", tenant: "acme", traceId: "tr" });
    await store.addAudit({ who: "key a", what: "resumed" });
    assert.deepEqual(await store.audit({ limit: 10 }), [
      { id: 2, at: clock.now(), who: "key a", what: "resumed" },
      { id: 1, at: clock.now(), who: "key a", what: "paused", target: "mail", tenant: "acme", traceId: "tr" },
    ]);
  });
});

forEachStore("tenants", (open) => {
  test("are counted by what they run and what waits in any way, the busiest first", async (t) => {
    const { store, submit, running, clock } = await open(t);
    assert.deepEqual(await store.tenants(), []);
    const held = await running({ tenant: "b" });
    await store.settle(held.lease, { type: "held", reason: "needs budget" });
    const crashed = await running({ tenant: "b" });
    await store.settle(crashed.lease, {
      type: "crashed",
      failure: { code: "crashed", message: "It died.", permanent: false },
    });
    const done = await running({ tenant: "idle" });
    await store.settle(done.lease, { type: "completed", output: "1" });
    await running({ tenant: "a" });
    await submit({ tenant: "a" });
    await submit({ tenant: "a", kind: "report" });
    await submit({ tenant: "a", runAt: clock.now() + 60_000 });
    assert.deepEqual(await store.tenants(), [
      { tenant: "a", running: 1, pending: 3 },
      { tenant: "b", running: 0, pending: 2 },
      { tenant: "idle", running: 0, pending: 0 },
    ]);
  });
});

function key(id: string, more: Partial<ApiKey> = {}): ApiKey {
  return { id, name: `key ${id}`, tenant: "acme", scopes: ["admin"], secretHash: "abc", createdAt: 1, ...more };
}
