import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "./rig.ts";

export function describeCrash(open: OpenData): void {
  describe("crash", () => {
    promise(open, "a crash is counted apart from failures, and the job is tried again at once", async (rig) => {
      const job = await rig.running();
      const settled = await rig.crash(job);
      assert.equal(settled.written === "written" && settled.standing, "suspect");
      const found = await rig.find(job.lease.jobId);
      assert.equal(found.crashes, 1);
      assert.equal(found.failures, 0);
      const again = await rig.claimOne();
      assert.equal(again.attempt, 2);
      assert.equal(again.crashes, 1);
      await rig.complete(again);
      assert.deepEqual(await rig.history(job.lease.jobId), ["running#1 crashed", "running#2 completed"]);
    });

    promise(open, "a lease that ran out counts as a crash", async (rig) => {
      const b = await rig.another();
      const job = await rig.running({}, b);
      assert.deepEqual(await rig.outlive(), [job.lease.jobId]);
      const found = await rig.find(job.lease.jobId);
      assert.equal(found.standing, "suspect");
      assert.equal(found.crashes, 1);
      assert.equal(found.failure?.code, "lease-expired");
      assert.deepEqual(await rig.history(found.id), ["running#1 abandoned"]);
    });

    promise(open, "a claim takes no more suspects than it can keep in quarantine", async (rig) => {
      for (let i = 0; i < 3; i++) await rig.submit();
      for (const job of await rig.claim(3)) await rig.crash(job);
      const innocent = await rig.submit();
      assert.deepEqual(
        (await rig.claim(5, { suspects: 0 })).map((job) => job.lease.jobId),
        [innocent],
      );
      assert.equal((await rig.claim(5, { suspects: 0 })).length, 0);
      const [one, ...none] = await rig.claim(5, { suspects: 1 });
      assert.equal(one?.crashes, 1);
      assert.deepEqual(none, []);
      assert.equal((await rig.claim(5, { suspects: 2 })).length, 2);
    });

    promise(open, "suspects are taken by priority, runAt and order of submission like any other", async (rig) => {
      for (const priority of [5, 1, 5]) await rig.submit({ priority, payload: String(priority) });
      for (const job of await rig.claim(3)) await rig.crash(job);
      assert.deepEqual(
        (await rig.claim(3)).map((job) => job.payload),
        ["1", "5", "5"],
      );
    });

    promise(open, "the second crash waits, and the last one makes a dead letter that says so", async (rig) => {
      const jobId = await rig.submit();
      await rig.crash(await rig.claimOne());
      const second = await rig.crash(await rig.claimOne());
      assert.deepEqual(second, { written: "written", standing: "scheduled", runAt: rig.clock.now() + 500 });
      assert.deepEqual(await rig.claim(), []);
      rig.clock.advance(500);
      assert.deepEqual(await rig.claim(1, { suspects: 0 }), []);
      const third = await rig.crash(await rig.claimOne());
      assert.equal(third.written === "written" && third.standing, "failed");
      const found = await rig.find(jobId);
      assert.equal(found.crashes, 3);
      assert.equal(found.failures, 0);
      assert.equal(found.failure?.code, "crashed");
      assert.equal(found.failure?.permanent, true);
      assert.match(found.failure?.message ?? "", /died 3 times/);
    });

    promise(open, "leases that run out again and again end in a dead letter too", async (rig) => {
      const jobId = await rig.submit();
      for (let i = 0; i < 3; i++) {
        await rig.claimOne({}, await rig.another());
        assert.deepEqual(await rig.outlive(), [jobId]);
        rig.clock.advance(10_000);
      }
      const found = await rig.find(jobId);
      assert.equal(found.standing, "failed");
      assert.equal(found.failure?.code, "crashed");
      assert.deepEqual(await rig.history(jobId), ["running#1 abandoned", "running#2 abandoned", "running#3 abandoned"]);
    });

    promise(open, "crashes burn no attempt, failures no crash; both count as tries", async (rig) => {
      const jobId = await rig.submit();
      await rig.crash(await rig.claimOne());
      await rig.fail(await rig.claimOne());
      rig.clock.advance(500);
      await rig.crash(await rig.claimOne());
      rig.clock.advance(500);
      await rig.fail(await rig.claimOne());
      rig.clock.advance(2_000);
      const job = await rig.claimOne();
      assert.equal(job.attempt, 5);
      await rig.fail(job);
      const found = await rig.find(jobId);
      assert.equal(found.standing, "failed");
      assert.equal(found.failures, 3);
      assert.equal(found.crashes, 2);
    });

    promise(open, "a suspect stays one when it is deferred, handed back, held or tried again", async (rig) => {
      const jobId = await rig.submit({ maxAttempts: 9 });
      await rig.crash(await rig.claimOne());
      for (const outcome of [
        { type: "deferred", delayMs: 10 },
        { type: "released" },
        { type: "failed", failure: { code: "x", message: "x", permanent: false } },
        { type: "held", reason: "r" },
      ] as const) {
        await rig.settle(await rig.claimOne(), outcome);
        rig.clock.advance(5_000);
        if (outcome.type === "held") await rig.store.release(jobId);
        assert.deepEqual(await rig.claim(1, { suspects: 0 }), [], outcome.type);
        assert.equal(await rig.standing(jobId), "suspect");
      }
      await rig.complete(await rig.claimOne());
    });

    promise(
      open,
      "suspects respect the bound on a tenant's running jobs",
      async (rig) => {
        for (let i = 0; i < 3; i++) await rig.submit({ tenant: "a" });
        for (const job of await rig.claim(2)) await rig.crash(job);
        for (const job of await rig.claim(1, { suspects: 0 })) await rig.crash(job);
        const held = await rig.claim(5);
        assert.equal(held.length, 2);
        assert.deepEqual(await rig.claim(5), []);
        await rig.complete(held[0] as never);
        assert.equal((await rig.claim(5)).length, 1);
      },
      { limits: { maxConcurrentPerTenant: 2, tenantOverflow: "queue" } },
    );
  });
}
