// A tenant's slot is taken by a claim and given back once, by whatever ends the lease first.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { failureOf, type OpenData, promise, type Rig } from "../rig.ts";

const LIMITS = { limits: { maxConcurrentPerTenant: 2, tenantOverflow: "queue" as const } };

/** Each ends the lease that instance `b` holds. */
const ENDS: Record<string, (rig: Rig, job: ClaimedJob) => Promise<unknown>> = {
  completed: (rig, job) => rig.complete(job),
  "completed by its holder": async (rig, job) => rig.complete(job, "1", rig.store),
  failed: (rig, job) => rig.kill(job),
  retried: (rig, job) => rig.settle(job, { type: "failed", failure: failureOf(), retryAfterMs: 60_000 }),
  crashed: async (rig, job) => {
    await rig.crash(job);
    await rig.store.cancel([job.lease.jobId], "out of the way");
  },
  deferred: (rig, job) => rig.settle(job, { type: "deferred", delayMs: 60_000 }),
  held: (rig, job) => rig.settle(job, { type: "held", reason: "r" }),
  cancelled: (rig, job) => rig.store.cancel([job.lease.jobId], "x"),
  expired: async (rig, job) => {
    assert.deepEqual(await rig.outlive(), [job.lease.jobId]);
    await rig.store.cancel([job.lease.jobId], "out of the way");
  },
};

export function describeSlots(open: OpenData): void {
  describe("limit slots", () => {
    for (const [how, end] of Object.entries(ENDS)) {
      promise(
        open,
        `the slot of a job that was ${how} is free again once, whatever comes late`,
        async (rig) => {
          const b = await rig.another();
          const kept = await rig.running({ tenant: "t" });
          const job = await rig.running({ tenant: "t" }, b);
          for (let i = 0; i < 4; i++) await rig.submit({ tenant: "t" });
          assert.deepEqual(await rig.claim(4), [], "the tenant is at its bound");
          await end(rig, job);
          for (const by of [rig.store, b]) {
            assert.equal((await rig.complete(job, "1", by)).written, "lease-lost");
            assert.equal((await rig.fail(job, {}, by)).written, "lease-lost");
          }
          await rig.store.cancel([job.lease.jobId], "again");
          await rig.store.forget([job.lease.jobId]);
          await rig.store.beat();
          await b.beat();
          assert.equal((await rig.claim(4)).length, 1, "exactly one slot was freed");
          assert.deepEqual(await rig.claim(4, {}, b), []);
          await rig.complete(kept);
          assert.equal((await rig.claim(4, {}, b)).length, 1);
        },
        LIMITS,
      );
    }

    promise(
      open,
      "claims never exceed a tenant's bound, over stages, kinds and instances",
      async (rig) => {
        const b = await rig.another();
        for (let i = 0; i < 3; i++) {
          await rig.submit({ tenant: "t" });
          await rig.submit({ tenant: "t", kind: "report" });
          await rig.submit({ tenant: "free" });
        }
        const first = await rig.claim(1, { kind: "report" }, b);
        const second = await rig.claim(5);
        assert.equal(first.length, 1);
        assert.deepEqual(second.map((job) => job.tenant).sort(), ["free", "free", "t"]);
        assert.deepEqual(await rig.claim(5, { kind: "report" }), []);
        await rig.complete(first[0] as ClaimedJob, "1", b);
        assert.equal((await rig.claim(5, { kind: "report", stage: "form" })).length, 1);
        assert.deepEqual(await rig.claim(5, { kind: "report" }, b), []);
      },
      LIMITS,
    );

    promise(
      open,
      "a bound that changed with a restart holds for what already waits",
      async (rig) => {
        for (let i = 0; i < 6; i++) await rig.submit({ tenant: "t" });
        assert.equal((await rig.claim(6)).length, 2);
        const raised = await rig.another({ limits: { maxConcurrentPerTenant: 4, tenantOverflow: "queue" } });
        assert.equal((await rig.claim(6, {}, raised)).length, 2);
      },
      LIMITS,
    );

    promise(
      open,
      "instances with different bounds both keep working, each within its own",
      async (rig) => {
        for (let i = 0; i < 9; i++) await rig.submit({ tenant: "t" });
        const unbound = await rig.another({ limits: {} });
        assert.equal((await rig.claim(3, {}, unbound)).length, 3);
        assert.deepEqual(await rig.claim(3), []);
        const raised = await rig.another({ limits: { maxConcurrentPerTenant: 5, tenantOverflow: "queue" } });
        assert.equal((await rig.claim(1, {}, raised)).length, 1);
        assert.deepEqual(await rig.claim(3), []);
        await rig.submit({ tenant: "other" });
        assert.deepEqual(
          (await rig.claim(3)).map((job) => job.tenant),
          ["other"],
        );
      },
      LIMITS,
    );
  });
}
