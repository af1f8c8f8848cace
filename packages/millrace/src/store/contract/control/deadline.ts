import assert from "node:assert/strict";
import { describe } from "node:test";
import { failureOf, type OpenData, promise, type Rig } from "../rig.ts";

const DEADLINE = { deadlineMs: 10_000 };

export function describeDeadline(open: OpenData): void {
  describe("the deadline of a job", () => {
    promise(open, "is stored, shown, and counted from the submission, not from the time it may start", async (rig) => {
      const now = rig.clock.now();
      assert.equal((await rig.find(await rig.submit(DEADLINE))).deadlineAt, now + 10_000);
      assert.equal((await rig.find(await rig.submit({ ...DEADLINE, delayMs: 5_000 }))).deadlineAt, now + 10_000);
      assert.equal((await rig.find(await rig.submit())).deadlineAt, undefined);
    });

    promise(open, "fails a job in whatever way it waits, once it has passed and not before", async (rig) => {
      const held = await rig.running(DEADLINE);
      await rig.settle(held, { type: "held", reason: "r" });
      const retrying = await rig.running({ ...DEADLINE, priority: -1 });
      await rig.settle(retrying, { type: "failed", failure: failureOf(), retryAfterMs: 60_000 });
      const deferred = await rig.running({ ...DEADLINE, priority: -1 });
      await rig.settle(deferred, { type: "deferred", delayMs: 60_000 });
      const ready = await rig.submit(DEADLINE);
      const scheduled = await rig.submit({ ...DEADLINE, delayMs: 60_000 });
      const ids = [held.lease.jobId, retrying.lease.jobId, deferred.lease.jobId, ready, scheduled];
      rig.clock.advance(9_999);
      assert.deepEqual(await failed(rig), []);
      rig.clock.advance(1);
      assert.deepEqual((await failed(rig)).sort(), [...ids].sort());
      for (const job of await rig.store.find(ids)) {
        assert.equal(job.standing, "failed");
        assert.equal(job.failure?.code, "deadline");
        assert.equal(job.failure?.message, "The job did not end within 10000 ms of its submission.");
        assert.equal(job.finishedAt, rig.clock.now());
        assert.equal(job.heldFor, undefined);
      }
      rig.clock.advance(120_000);
      assert.deepEqual(await rig.claim(9), []);
      assert.deepEqual(await failed(rig), []);
    });

    promise(open, "ends a running attempt: its process is told, and its result is dropped", async (rig) => {
      const job = await rig.running(DEADLINE);
      const { jobId, token } = job.lease;
      rig.clock.advance(10_000);
      assert.deepEqual(await failed(rig), [jobId]);
      assert.deepEqual(rig.lost, [`${jobId}.${token} deadline`]);
      assert.equal((await rig.complete(job)).written, "lease-lost");
      const found = await rig.find(jobId);
      assert.equal(found.standing, "failed");
      assert.equal(found.failures, 1);
      assert.deepEqual(await rig.history(jobId), ["running#1 failed"]);
    });

    promise(open, "is kept by any process, also for a job that another one runs", async (rig) => {
      const b = await rig.another();
      const job = await rig.running({ deadlineMs: 2_000 }, b);
      rig.clock.advance(2_000);
      assert.deepEqual(await failed(rig), [job.lease.jobId]);
      assert.equal((await rig.complete(job, "1", b)).written, "lease-lost");
    });

    promise(open, "is over for a job that ended before it", async (rig) => {
      const job = await rig.running(DEADLINE);
      await rig.complete(job);
      const cancelled = await rig.submit(DEADLINE);
      await rig.store.cancel([cancelled], "x");
      rig.clock.advance(60_000);
      assert.deepEqual(await failed(rig), []);
      assert.equal(await rig.standing(job.lease.jobId), "completed");
      assert.equal(await rig.standing(cancelled), "cancelled");
    });

    promise(open, "starts again with a revival, and frees the unique key", async (rig) => {
      const jobId = await rig.submit({ ...DEADLINE, uniqueKey: "k" });
      rig.clock.advance(10_000);
      assert.deepEqual(await failed(rig), [jobId]);
      await rig.submit({ uniqueKey: "k" });
      rig.clock.advance(5_000);
      const answer = await rig.store.revive(jobId, { from: "failed-stage" });
      assert.ok(typeof answer === "object" && "revived" in answer);
      assert.equal((await rig.find(answer.revived)).deadlineAt, rig.clock.now() + 10_000);
    });

    promise(open, "is kept for more jobs than one look finds", async (rig) => {
      const count = 501;
      const job = { kind: "mail", payload: "{}", ...DEADLINE };
      await rig.store.submit([{ tenant: "default", jobs: Array.from({ length: count }, () => job) }]);
      rig.clock.advance(10_000);
      const first = await failed(rig);
      const second = await failed(rig);
      assert.equal(new Set([...first, ...second]).size, count);
    });
  });
}

/** The jobs that the next look of the store fails. */
async function failed(rig: Rig): Promise<string[]> {
  const { expired } = await rig.store.beat();
  return expired.filter(({ standing }) => standing === "failed").map(({ jobId }) => jobId);
}
