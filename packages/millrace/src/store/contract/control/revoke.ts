import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "../rig.ts";

export function describeRevoke(open: OpenData): void {
  describe("cancel, deadline, expiry", () => {
    promise(open, "a pending job is cancelled at once, in whatever way it waits", async (rig) => {
      const [suspect] = (await rig.suspects(1)) as [string];
      const held = await rig.running();
      await rig.settle(held, { type: "held", reason: "r" });
      const retrying = await rig.running({ priority: -1 });
      await rig.fail(retrying);
      const ready = await rig.submit();
      const scheduled = await rig.submit({ delayMs: 1_000 });
      const ids = [held.lease.jobId, suspect, retrying.lease.jobId, ready, scheduled];
      const standings = (await rig.store.find(ids)).map((job) => job.standing);
      assert.deepEqual(standings, ["held", "suspect", "scheduled", "ready", "scheduled"]);
      assert.deepEqual(
        await rig.store.cancel(ids, "enough"),
        ids.map(() => "done"),
      );
      for (const job of await rig.store.find(ids)) {
        assert.equal(job.standing, "cancelled");
        assert.equal(job.failure?.message, "enough");
        assert.equal(job.finishedAt, rig.clock.now());
        assert.equal(job.heldFor, undefined);
      }
      rig.clock.advance(60_000);
      assert.deepEqual(await rig.claim(9), []);
    });

    promise(open, "cancelling a running job names the lease it ended, from any instance", async (rig) => {
      const b = await rig.another();
      const job = await rig.running({}, b);
      const { jobId, token } = job.lease;
      assert.deepEqual(await rig.store.cancel([jobId], "stop"), [{ running: { jobId, token } }]);
      assert.equal(await rig.standing(jobId), "cancelled");
      assert.deepEqual(await rig.history(jobId), ["running#1 cancelled"]);
    });

    promise(open, "a finished job is not cancelled any more; each of many gets its own answer", async (rig) => {
      const done = await rig.running();
      await rig.complete(done);
      const dead = await rig.running();
      await rig.kill(dead);
      const input = await rig.running();
      await rig.fail(input, { permanent: true, input: true });
      const pending = await rig.submit();
      const ids = [done.lease.jobId, dead.lease.jobId, input.lease.jobId, pending, pending, "job_00000000"];
      assert.deepEqual(await rig.store.cancel(ids, "x"), [
        { conflict: "The job is already completed." },
        { conflict: "The job is already failed." },
        { conflict: "The job is already failed." },
        "done",
        { conflict: "The job is already cancelled." },
        "not-found",
      ]);
    });

    promise(open, "a cancel that races a completion ends as exactly one of the two", async (rig) => {
      const b = await rig.another();
      for (const cancelFirst of [true, false]) {
        const job = await rig.running({}, b);
        const { jobId } = job.lease;
        const cancel = async () => (await rig.store.cancel([jobId], "x"))[0];
        const complete = () => rig.complete(job, "1", b);
        if (cancelFirst) {
          assert.ok(typeof (await cancel()) === "object");
          assert.equal((await complete()).written, "lease-lost");
        } else {
          assert.equal((await complete()).written, "written");
          assert.deepEqual(await cancel(), { conflict: "The job is already completed." });
        }
        assert.equal(await rig.standing(jobId), cancelFirst ? "cancelled" : "completed");
        assert.equal((await rig.store.attempts(jobId)).length, 1);
      }
    });

    promise(open, "an expiry that races a settle ends as exactly one of the two", async (rig) => {
      const b = await rig.another();
      const late = await rig.running({ payload: '"late"' }, b);
      await rig.outlive();
      assert.equal((await rig.complete(late, "1", b)).written, "lease-lost");
      assert.deepEqual(await rig.history(late.lease.jobId), ["running#1 abandoned"]);
      await rig.complete(await rig.claimOne());
      const inTime = await rig.running({}, b);
      rig.clock.advance(rig.leaseMs + 1);
      assert.equal((await rig.complete(inTime, "1", b)).written, "written");
      assert.deepEqual((await rig.store.beat()).expired, []);
      assert.deepEqual(await rig.history(inTime.lease.jobId), ["running#1 completed"]);
    });

    promise(open, "a cancel that races an expiry leaves the job cancelled, with one attempt behind it", async (rig) => {
      const b = await rig.another();
      const one = await rig.running({}, b);
      await rig.outlive();
      assert.deepEqual(await rig.store.cancel([one.lease.jobId], "x"), ["done"]);
      assert.deepEqual(await rig.history(one.lease.jobId), ["running#1 abandoned"]);
      const two = await rig.running({}, b);
      await rig.store.cancel([two.lease.jobId], "x");
      assert.deepEqual(await rig.outlive(), []);
      assert.deepEqual(await rig.history(two.lease.jobId), ["running#1 cancelled"]);
      assert.equal(await rig.standing(one.lease.jobId), "cancelled");
      assert.equal(await rig.standing(two.lease.jobId), "cancelled");
    });

    promise(open, "a job past its deadline fails with the retry counted, and its process is told", async (rig) => {
      await rig.submit();
      const job = await rig.claimOne({ timeoutMs: 2_000 });
      const { jobId, token } = job.lease;
      rig.clock.advance(2_000);
      assert.deepEqual((await rig.store.beat()).overdue, []);
      rig.clock.advance(1_000);
      assert.deepEqual((await rig.store.beat()).overdue, [jobId]);
      assert.deepEqual(rig.lost, [`${jobId}.${token} timed-out`]);
      const found = await rig.find(jobId);
      assert.equal(found.standing, "scheduled");
      assert.equal(found.failures, 1);
      assert.equal(found.failure?.code, "timed-out");
      assert.equal((await rig.complete(job)).written, "lease-lost");
      assert.deepEqual((await rig.store.beat()).overdue, []);
      assert.deepEqual(await rig.history(jobId), ["running#1 failed"]);
    });

    promise(open, "a job's own deadline goes before its stage's", async (rig) => {
      await rig.submit({ timeoutMs: 100 });
      const { lease } = await rig.claimOne({ timeoutMs: 600_000 });
      rig.clock.advance(1_100);
      assert.deepEqual((await rig.store.beat()).overdue, [lease.jobId]);
    });

    promise(open, "where a timeout is permanent it makes a dead letter", async (rig) => {
      await rig.submit();
      const { lease } = await rig.claimOne({ timeoutMs: 100, retryTimeouts: false });
      rig.clock.advance(1_100);
      await rig.store.beat();
      assert.equal(await rig.standing(lease.jobId), "failed");
    });

    promise(open, "a deadline that races a settle or a cancel ends as exactly one of them", async (rig) => {
      for (const [name, end] of Object.entries({
        completed: (job: { lease: never }) => rig.complete(job),
        cancelled: (job: { lease: { jobId: string } }) => rig.store.cancel([job.lease.jobId], "x"),
      })) {
        const jobId = await rig.submit();
        const job = await rig.claimOne({ timeoutMs: 100 });
        rig.clock.advance(1_100);
        await end(job as never);
        assert.deepEqual((await rig.store.beat()).overdue, []);
        assert.equal(await rig.standing(jobId), name);
        assert.deepEqual(await rig.history(jobId), [`running#1 ${name}`]);
      }
    });

    promise(open, "a job handed out again has the new deadline, not the old one", async (rig) => {
      await rig.submit();
      const first = await rig.claimOne({ timeoutMs: 5_000 });
      rig.clock.advance(4_000);
      await rig.settle(first, { type: "released" });
      const second = await rig.claimOne({ timeoutMs: 5_000 });
      rig.clock.advance(4_000);
      assert.deepEqual((await rig.store.beat()).overdue, []);
      assert.equal((await rig.complete(second)).written, "written");
    });
  });

  describe("expiresInMs", () => {
    promise(open, "a job not started in time fails with code backpressure", async (rig) => {
      const jobId = await rig.submit({ expiresInMs: 1_000, uniqueKey: "u" });
      const other = await rig.submit();
      rig.clock.advance(999);
      assert.deepEqual((await rig.store.beat()).expired, []);
      rig.clock.advance(1);
      assert.deepEqual((await rig.store.beat()).expired, [{ jobId, standing: "failed" }]);
      const found = await rig.find(jobId);
      assert.equal(found.failure?.code, "backpressure");
      assert.equal(found.attempt, 0);
      assert.deepEqual(await rig.store.attempts(jobId), []);
      assert.deepEqual(
        (await rig.claim(5)).map((job) => job.lease.jobId),
        [other],
      );
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "accepted");
    });

    promise(open, "no claim hands out a job whose time is over, even before anybody noticed", async (rig) => {
      const gone = await rig.submit({ expiresInMs: 1_000 });
      const kept = await rig.submit();
      rig.clock.advance(1_000);
      assert.deepEqual(
        (await rig.claim(1)).map((job) => job.lease.jobId),
        [kept],
      );
      assert.equal(await rig.standing(gone), "failed");
      assert.deepEqual((await rig.store.beat()).expired, []);
    });

    promise(open, "the wait of a scheduled job counts from when it could have run", async (rig) => {
      const jobId = await rig.submit({ delayMs: 10_000, expiresInMs: 1_000 });
      rig.clock.advance(10_999);
      assert.deepEqual((await rig.store.beat()).expired, []);
      assert.equal((await rig.claimOne()).lease.jobId, jobId);
    });

    promise(open, "a job that was started in time may take, and be retried, as long as it needs", async (rig) => {
      const job = await rig.running({ expiresInMs: 1_000 });
      rig.clock.advance(5_000);
      assert.deepEqual((await rig.store.beat()).expired, []);
      await rig.fail(job);
      rig.clock.advance(5_000);
      assert.deepEqual((await rig.store.beat()).expired, []);
      await rig.complete(await rig.claimOne());
    });
  });
}
