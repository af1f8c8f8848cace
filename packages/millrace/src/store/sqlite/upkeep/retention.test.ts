import assert from "node:assert/strict";
import { describe } from "node:test";
import { HOUR_MS, promise } from "../../contract/rig.ts";
import { openTemporarySqlite } from "../temporary.ts";

describe("retention on a machine whose clock is set", () => {
  promise(openTemporarySqlite, "a clock set a day forward deletes nothing that has just ended", async (rig) => {
    const done = await rig.running();
    await rig.complete(done);
    const dead = await rig.running();
    await rig.kill(dead);
    rig.clock.jump(8 * 24 * HOUR_MS);
    await rig.store.beat();
    assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
    rig.clock.advance(HOUR_MS - 1);
    assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
    rig.clock.advance(1);
    assert.equal((await rig.store.prune({ limit: 9 })).deleted, 1, "an hour has really passed");
    rig.clock.advance(7 * 24 * HOUR_MS - HOUR_MS - 1);
    assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
    rig.clock.advance(1);
    assert.equal((await rig.store.prune({ limit: 9 })).deleted, 1, "and seven days");
  });

  promise(openTemporarySqlite, "an idempotency key is kept for a real day", async (rig) => {
    const idempotency = { key: "k", fingerprint: "f" };
    const submission = { tenant: "default", jobs: [{ kind: "mail", payload: "1" }], idempotency };
    const [first] = await rig.store.submit([submission]);
    rig.clock.jump(48 * HOUR_MS);
    await rig.store.prune({ limit: 9 });
    const [again] = await rig.store.submit([submission]);
    assert.equal(again?.type, "replayed");
    assert.deepEqual(again?.type === "replayed" && again.jobIds, first?.type === "accepted" && first.jobIds);
  });
});
