import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ApiKey, StoredSession } from "../verbs/access.ts";
import { type OpenData, promise } from "./rig.ts";

export function describeAccess(open: OpenData): void {
  describe("keys", () => {
    promise(open, "a key is found by its id, with all it was given", async (rig) => {
      const { store } = rig;
      await store.putKey(key("a"));
      await store.putKey(key("b", { scopes: ["submit", "read"], expiresAt: 9_000, createdAt: 2 }));
      assert.deepEqual(await store.keys("a"), [key("a")]);
      assert.deepEqual(await store.keys("c"), []);
      assert.deepEqual(await store.keys(), [
        key("b", { scopes: ["submit", "read"], expiresAt: 9_000, createdAt: 2 }),
        key("a"),
      ]);
    });

    promise(open, "a key is revoked once, and stays listed with the moment", async (rig) => {
      const { store, clock } = rig;
      await store.putKey(key("a"));
      assert.equal(await store.revokeKey("a"), true);
      assert.equal(await store.revokeKey("a"), false);
      assert.equal(await store.revokeKey("b"), false);
      assert.equal((await store.keys("a"))[0]?.revokedAt, clock.now());
    });

    promise(open, "a revoked key cannot be put back under its id", async (rig) => {
      const { store } = rig;
      await store.putKey(key("a"));
      await store.revokeKey("a");
      await assert.rejects(store.putKey(key("a")));
      assert.notEqual((await store.keys("a"))[0]?.revokedAt, undefined);
    });
  });

  describe("sessions", () => {
    promise(open, "one that was ended is gone for every process; another one stays", async (rig) => {
      const other = await rig.another();
      await rig.store.addSession(session("a", { keyId: "k" }));
      await rig.store.addSession(session("b"));
      assert.deepEqual(await other.findSession("a"), session("a", { keyId: "k" }));
      assert.equal(await other.endSession("a"), true);
      assert.equal(await rig.store.endSession("a"), false);
      assert.equal(await rig.store.findSession("a"), undefined);
      assert.deepEqual(await rig.store.findSession("b"), session("b"));
    });

    promise(
      open,
      "expired ones go with the next sign-in, and the oldest where one key has over a hundred",
      async (rig) => {
        const { store } = rig;
        await store.addSession(session("expired", { expiresAt: 50 }));
        await store.addSession(session("of another key", { keyId: "k" }));
        for (let i = 0; i < 101; i++) await store.addSession(session(`s${i}`, { createdAt: 100 + i }));
        assert.equal(await store.findSession("expired"), undefined);
        assert.equal(await store.findSession("s0"), undefined);
        for (const id of ["s1", "s100", "of another key"]) assert.equal((await store.findSession(id))?.idHash, id);
      },
    );
  });

  describe("the audit", () => {
    promise(open, "is newest first, in pages that neither miss nor repeat", async (rig) => {
      const { store, clock } = rig;
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

    promise(open, "keeps what was said and nothing else", async (rig) => {
      const { store, clock } = rig;
      await store.addAudit({ who: "key a", what: "paused", target: "mail", tenant: "acme", traceId: "tr" });
      await store.addAudit({ who: "key a", what: "resumed" });
      assert.deepEqual(await store.audit({ limit: 10 }), [
        { id: 2, at: clock.now(), who: "key a", what: "resumed" },
        { id: 1, at: clock.now(), who: "key a", what: "paused", target: "mail", tenant: "acme", traceId: "tr" },
      ]);
    });
  });

  describe("tenants", () => {
    promise(open, "are counted by what they run and what waits in any way, the busiest first", async (rig) => {
      const { store, clock } = rig;
      assert.deepEqual(await store.tenants(), []);
      const held = await rig.running({ tenant: "b" });
      await store.settle(held.lease, { type: "held", reason: "needs budget" });
      const crashed = await rig.running({ tenant: "b" });
      await store.settle(crashed.lease, {
        type: "crashed",
        failure: { code: "crashed", message: "It died.", permanent: false },
      });
      const done = await rig.running({ tenant: "idle" });
      await store.settle(done.lease, { type: "completed", result: "1" });
      await rig.running({ tenant: "a" });
      await rig.submit({ tenant: "a" });
      await rig.submit({ tenant: "a", kind: "report" });
      await rig.submit({ tenant: "a", runAt: clock.now() + 60_000 });
      assert.deepEqual(await store.tenants(), [
        { tenant: "a", running: 1, pending: 3 },
        { tenant: "b", running: 0, pending: 2 },
        { tenant: "idle", running: 0, pending: 0 },
      ]);
    });
  });
}

function key(id: string, more: Partial<ApiKey> = {}): ApiKey {
  return { id, name: `key ${id}`, tenant: "acme", scopes: ["admin"], secretHash: "abc", createdAt: 1, ...more };
}

function session(idHash: string, more: Partial<StoredSession> = {}): StoredSession {
  return { idHash, proof: `proof of ${idHash}`, createdAt: 1, expiresAt: 1_000, ...more };
}
