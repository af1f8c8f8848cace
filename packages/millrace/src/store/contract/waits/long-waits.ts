import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "../rig.ts";
import { resumed, SECOND_MS, send, signalNamed, sleepFor, waiting } from "./support.ts";

const MINUTE_MS = 60 * SECOND_MS;

export function describeLongWaits(open: OpenData): void {
  describe("a long wait", () => {
    promise(open, "is one that lasts twice as long as 19 of 20 answered waits of its kind and name", async (rig) => {
      const answer = async (name: string, tookMs: number) => {
        const jobId = await waiting(rig, [signalNamed(name)]);
        rig.clock.advance(tookMs);
        await send(rig, jobId, name);
        await rig.complete((await resumed(rig, jobId)).job);
      };
      for (let n = 0; n < 5; n++) await answer("paid", MINUTE_MS);
      for (let n = 0; n < 4; n++) await answer("rare", MINUTE_MS);
      const first = await waiting(rig, [signalNamed("paid")]);
      const since = rig.clock.now();
      rig.clock.advance(SECOND_MS);
      // The name in a loop is that of the same wait.
      await waiting(rig, [signalNamed("paid#2")], { tenant: "b" });
      for (const wait of [signalNamed("rare"), signalNamed("shipped"), sleepFor(100 * MINUTE_MS)]) {
        await waiting(rig, [wait]);
      }
      rig.clock.advance(2 * MINUTE_MS - SECOND_MS);
      assert.deepEqual(await rig.store.longWaits({}), [], "as long as usual, and as long again");
      rig.clock.advance(SECOND_MS);
      const paid = { kind: "mail", stage: "running", type: "signal", name: "paid", usualMs: MINUTE_MS } as const;
      assert.deepEqual(await rig.store.longWaits({}), [{ ...paid, count: 1, jobId: first, since }]);
      rig.clock.advance(SECOND_MS);
      const [both] = await rig.store.longWaits({});
      assert.deepEqual(both, { ...paid, count: 2, jobId: first, since });
      assert.deepEqual(await rig.store.longWaits({ tenant: "b" }), [], "nothing is usual for the tenant");
      assert.equal((await rig.store.longWaits({ tenant: "default" }))[0]?.count, 1);
      await send(rig, first, "paid");
      assert.deepEqual(await rig.store.longWaits({}), [], "it is answered, and how long it took is usual from now on");
    });
  });
}
