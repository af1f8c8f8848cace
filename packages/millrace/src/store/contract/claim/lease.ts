import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { failureOf, large, type OpenData, promise, type Rig } from "../rig.ts";

/** Every way in which a lease ends under its holder `b`. The job is as `a` left it when each returns. */
const ENDINGS: Record<string, (rig: Rig, job: ClaimedJob) => Promise<void>> = {
  "it expired": async (rig) => {
    assert.equal((await rig.outlive()).length, 1);
  },
  "it expired and the job was claimed again": async (rig) => {
    await rig.outlive();
    await rig.claimOne();
  },
  "it expired and the job was completed by another": async (rig) => {
    await rig.outlive();
    await rig.complete(await rig.claimOne(), '"the other"');
  },
  "it was settled": async (rig, job) => {
    await rig.complete(job, '"first"');
  },
  "it was handed back": async (rig, job) => {
    await rig.settle(job, { type: "released" });
  },
  "the attempt failed and will be tried again": async (rig, job) => {
    await rig.fail(job);
  },
  "the job was put aside": async (rig, job) => {
    await rig.settle(job, { type: "held", reason: "waits" });
  },
  "the job was cancelled": async (rig, job) => {
    await rig.store.cancel([job.lease.jobId], "no more");
  },
  "the job was cancelled and revived": async (rig, job) => {
    await rig.store.cancel([job.lease.jobId], "no more");
    await rig.store.revive(job.lease.jobId, { from: "start" });
  },
  "the job was cancelled and forgotten": async (rig, job) => {
    await rig.store.cancel([job.lease.jobId], "no more");
    await rig.store.forget([job.lease.jobId]);
  },
};

export function describeLease(open: OpenData): void {
  describe("lease", () => {
    for (const [ending, end] of Object.entries(ENDINGS)) {
      promise(open, `once ${ending}, no write with the old token changes anything`, async (rig) => {
        const b = await rig.another();
        await rig.store.setLimiters([{ name: "api", count: 1, perMs: 1_000 }]);
        const job = await rig.running({ payload: large("p") }, b);
        assert.notEqual(await b.saveStep(job.lease, "before", "1"), "lease-lost");
        await end(rig, job);
        for (const by of [rig.store, b]) await assertAllRefused(rig, job, by);
      });
    }

    promise(open, "a token that was never handed out changes nothing", async (rig) => {
      const job = await rig.running();
      for (const token of [0, -1, job.lease.token - 1, job.lease.token + 1, 2 ** 40]) {
        await assertAllRefused(rig, { ...job, lease: { ...job.lease, token } }, rig.store);
      }
      assert.equal((await rig.complete(job)).written, "written");
    });

    promise(open, "the token of a job grows with every claim", async (rig) => {
      const jobId = await rig.submit();
      let last = -1;
      for (let i = 0; i < 5; i++) {
        const { lease } = await rig.claimOne();
        assert.equal(lease.jobId, jobId);
        assert.ok(lease.token > last);
        last = lease.token;
        if (i % 2) await rig.settle({ lease }, { type: "released" });
        else await rig.settle({ lease }, { type: "deferred", delayMs: 100 });
        rig.clock.advance(100);
      }
    });

    promise(open, "a lease that is renewed is never taken back, however long the work takes", async (rig) => {
      const b = await rig.another();
      const job = await rig.running({}, b);
      for (let i = 0; i < 10; i++) {
        rig.clock.advance(rig.leaseMs - 1);
        assert.deepEqual(await b.renew([job.lease]), [job.lease]);
        assert.deepEqual((await rig.store.beat()).expired, []);
      }
      assert.equal((await rig.complete(job, "1", b)).written, "written");
      assert.deepEqual(await rig.history(job.lease.jobId), ["running#1 completed"]);
    });

    promise(open, "a beat and a claim renew the leases of their process as well", async (rig) => {
      const b = await rig.another();
      const job = await rig.running({}, b);
      rig.clock.advance(rig.leaseMs - 1);
      await b.beat();
      rig.clock.advance(rig.leaseMs - 1);
      await rig.submit({ kind: "report" });
      await rig.claim(1, { kind: "report" }, b);
      rig.clock.advance(rig.leaseMs - 1);
      assert.deepEqual((await rig.store.beat()).expired, []);
      assert.equal((await rig.complete(job, "1", b)).written, "written");
    });

    promise(open, "renewing tells which leases are still held", async (rig) => {
      const kept = await rig.running();
      const cancelled = await rig.running();
      const settled = await rig.running();
      await rig.store.cancel([cancelled.lease.jobId], "x");
      await rig.complete(settled);
      assert.deepEqual(await rig.store.renew([settled.lease, kept.lease, cancelled.lease]), [kept.lease]);
    });

    promise(
      open,
      "a lease is confirmed for as long as nobody can take it back, and renewed if little is left",
      async (rig) => {
        const b = await rig.another();
        const { lease } = await rig.running({}, b);
        assert.deepEqual(await b.confirm(lease), { forMs: rig.leaseMs });
        rig.clock.advance(1_000);
        assert.deepEqual(await b.confirm(lease), { forMs: rig.leaseMs - 1_000 });
        rig.clock.advance(rig.leaseMs - 1_001);
        assert.deepEqual((await rig.store.beat()).expired, []);
        assert.deepEqual(await rig.store.confirm(lease), { forMs: 1 }, "nobody else renews it");
        assert.deepEqual(await b.confirm(lease), { forMs: rig.leaseMs });
        rig.clock.advance(rig.leaseMs - 1);
        assert.deepEqual((await rig.store.beat()).expired, [], "nobody takes it back before");
        assert.deepEqual(await b.confirm(lease), { forMs: rig.leaseMs });
        assert.deepEqual(await rig.outlive(), [lease.jobId]);
        assert.equal(await b.confirm(lease), "lease-lost");
      },
    );

    promise(open, "a stored step says, as a confirmation does, for how long nobody can take the lease", async (rig) => {
      const b = await rig.another();
      const { lease } = await rig.running({}, b);
      rig.clock.advance(1_000);
      const left = { forMs: rig.leaseMs - 1_000 };
      assert.deepEqual(await b.saveStep(lease, "plain", "1"), left);
      assert.deepEqual(await b.saveStep(lease, "plain", "1"), left, "the same again");
      await b.beginUndoable(lease);
      assert.deepEqual(await b.saveStep(lease, "undone", "1", { undo: "refund" }), left);
      assert.deepEqual(await b.saveStep(lease, "with a wait", "1", { waits: [{ type: "signal", name: "go" }] }), left);
      rig.clock.advance(rig.leaseMs - 1_000);
      assert.deepEqual(await b.saveStep(lease, "late", "1"), { forMs: 0 }, "it still has the job, but for no time");
      assert.deepEqual(await rig.outlive(), [lease.jobId]);
      assert.equal(await b.saveStep(lease, "too late", "1"), "lease-lost");
    });

    promise(open, "a lease that ran out unnoticed still counts: nobody else has the job", async (rig) => {
      const job = await rig.running();
      rig.clock.advance(rig.leaseMs * 3);
      assert.equal((await rig.complete(job, '"late"')).written, "written");
      assert.equal((await rig.find(job.lease.jobId)).result, '"late"');
    });

    promise(open, "a lease is not taken back a millisecond early", async (rig) => {
      const b = await rig.another();
      await rig.running({}, b);
      rig.clock.advance(rig.leaseMs - 1);
      assert.deepEqual((await rig.store.beat()).expired, []);
      rig.clock.advance(1);
      assert.equal((await rig.store.beat()).expired.length, 1);
    });

    promise(open, "a lease lost twice gives the job two attempts behind it and one result", async (rig) => {
      const b = await rig.another();
      const c = await rig.another();
      const first = await rig.running({}, b);
      await rig.outlive();
      const second = await rig.claimOne({}, c);
      await rig.outlive();
      rig.clock.advance(1_000);
      const third = await rig.claimOne();
      assert.equal((await rig.complete(second, "2", c)).written, "lease-lost");
      assert.equal((await rig.complete(third, "3")).written, "written");
      assert.equal((await rig.complete(first, "1", b)).written, "lease-lost");
      assert.equal((await rig.find(first.lease.jobId)).result, "3");
      assert.deepEqual(await rig.history(first.lease.jobId), [
        "running#1 abandoned",
        "running#2 abandoned",
        "running#3 completed",
      ]);
    });
  });
}

async function assertAllRefused(rig: Rig, { lease }: ClaimedJob, by = rig.store): Promise<void> {
  const look = async () => {
    const { jobId } = lease;
    const [job, steps, attempts] = [
      (await rig.store.find([jobId]))[0],
      await rig.store.steps(jobId),
      await rig.store.attempts(jobId),
    ];
    return {
      job,
      steps,
      attempts,
      logs: await rig.store.logs(jobId, { limit: 10 }),
      artifact: await rig.store.artifact(jobId, "a"),
    };
  };
  const before = await look();
  assert.deepEqual(await by.renew([lease]), []);
  assert.equal(await by.confirm(lease), "lease-lost");
  assert.equal(
    await by.note(lease, { progress: { value: 1 }, logs: [{ at: 1, level: "info", message: "late" }] }),
    "lease-lost",
  );
  assert.equal(await by.saveStep(lease, "late", "1"), "lease-lost");
  assert.equal(await by.storedSteps(lease), "lease-lost");
  assert.equal(await by.take(lease, "api", 1), "lease-lost");
  assert.equal(await by.blockLimiter(lease, "api", 60_000), "lease-lost");
  assert.equal(
    await by.keepArtifact(lease, { name: "a", contentType: "text/plain", bytes: new Uint8Array([1]) }),
    "lease-lost",
  );
  const outcomes = [
    { type: "completed", result: '"late"' },
    { type: "completed", result: large("l") },
    { type: "failed", failure: failureOf({ message: "late" }) },
    { type: "failed", failure: failureOf({ permanent: true }) },
    { type: "crashed", failure: failureOf() },
    { type: "deferred", delayMs: 1 },
    { type: "held", reason: "late" },
    { type: "released" },
  ] as const;
  for (const outcome of outcomes)
    assert.deepEqual(await by.settle(lease, outcome), { written: "lease-lost" }, outcome.type);
  assert.deepEqual(await look(), before);
}
