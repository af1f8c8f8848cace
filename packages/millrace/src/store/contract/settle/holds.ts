import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "../rig.ts";

const DAY_MS = 24 * 3_600_000;

export function describeHolds(open: OpenData): void {
  describe("a hold with a time limit", () => {
    promise(open, "fails the job when nobody released it in time, and not a moment before", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      const heldAt = rig.clock.now();
      await rig.settle(job, { type: "held", reason: "needs approval", timeoutMs: 3 * DAY_MS });
      assert.equal((await rig.find(jobId)).expiresAt, heldAt + 3 * DAY_MS);
      rig.clock.advance(3 * DAY_MS - 1);
      assert.deepEqual((await rig.store.beat()).expired, []);
      assert.equal((await rig.find(jobId)).standing, "held");
      rig.clock.advance(1);
      assert.deepEqual((await rig.store.beat()).expired, [{ jobId, standing: "failed" }]);
      const found = await rig.find(jobId);
      assert.deepEqual(
        [found.standing, found.failure?.code, found.failure?.permanent, found.heldFor, found.failures],
        ["failed", "hold-expired", true, undefined, 0],
      );
      assert.match(found.failure?.message ?? "", /not released within 259200000 ms.*needs approval/);
      assert.deepEqual(await rig.history(jobId), ["running#1 held"]);
      assert.deepEqual((await rig.store.beat()).expired, []);
    });

    promise(open, "is over for everybody at its time: a release that comes later is refused", async (rig) => {
      const job = await rig.running();
      await rig.settle(job, { type: "held", reason: "needs approval", timeoutMs: 1_000 });
      const other = await rig.another();
      rig.clock.advance(1_000);
      assert.deepEqual(await other.release(job.lease.jobId), { conflict: "The job's hold has expired." });
      assert.deepEqual((await other.beat()).expired, [{ jobId: job.lease.jobId, standing: "failed" }]);
      assert.deepEqual((await rig.store.beat()).expired, []);
    });

    promise(open, "ends with its release, and the next hold has a time of its own", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await rig.settle(job, { type: "held", reason: "first", timeoutMs: 1_000 });
      rig.clock.advance(999);
      assert.equal(await rig.store.release(jobId), "done");
      assert.equal((await rig.find(jobId)).expiresAt, undefined);
      rig.clock.advance(DAY_MS);
      assert.deepEqual((await rig.store.beat()).expired, []);
      const again = await rig.claimOne();
      await rig.settle(again, { type: "held", reason: "second" });
      rig.clock.advance(30 * DAY_MS);
      assert.deepEqual((await rig.store.beat()).expired, []);
      assert.equal((await rig.find(jobId)).standing, "held");
    });

    promise(open, "may be cancelled, and a job that failed by it be revived where it was held", async (rig) => {
      const cancelled = await rig.running();
      await rig.settle(cancelled, { type: "held", reason: "x", timeoutMs: 1_000 });
      assert.deepEqual(await rig.store.cancel([cancelled.lease.jobId], "No."), ["done"]);
      const expired = await rig.running();
      await rig.settle(expired, { type: "held", reason: "x", timeoutMs: 1_000 });
      rig.clock.advance(1_000);
      assert.deepEqual((await rig.store.beat()).expired, [{ jobId: expired.lease.jobId, standing: "failed" }]);
      const revived = await rig.store.revive(expired.lease.jobId, { from: "failed-stage" });
      assert.ok(typeof revived === "object" && "revived" in revived);
      assert.equal((await rig.claimOne()).lease.jobId, revived.revived);
    });
  });
}
