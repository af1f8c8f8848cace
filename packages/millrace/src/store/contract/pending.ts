import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../job/lease.ts";
import { noneWaiting, type WaitingView, waitingView } from "../../telemetry/figures/waiting.ts";
import { keyedMail } from "./keys/support.ts";
import { HOUR_MS, type OpenData, planOf, promise, REPORT, type Rig } from "./rig.ts";
import { sleepFor } from "./waits/support.ts";

export function describePending(open: OpenData): void {
  describe("pending jobs by why they do not run", () => {
    promise(open, "count each job once, by the first reason that fits, and add up to all pending jobs", async (rig) => {
      const claimed = await three(rig, "a");
      await rig.settle(claimed[0], { type: "held", reason: "review" });
      await rig.settle(claimed[1], { type: "waiting", waits: [sleepFor(HOUR_MS)] });
      await rig.fail(claimed[2]);
      await rig.submit({ tenant: "a", delayMs: HOUR_MS });
      await rig.submit({ tenant: "b" });
      await rig.submit({ tenant: "b", kind: "report" });
      assert.deepEqual(await counted(rig), some({ held: 1, waiting: 1, retrying: 1, scheduled: 1, ready: 2 }));
      assert.deepEqual(await counted(rig, "a"), some({ held: 1, waiting: 1, retrying: 1, scheduled: 1 }));
      assert.deepEqual(await counted(rig, "b"), some({ ready: 2 }));
      assert.deepEqual(await counted(rig, "nobody"), noneWaiting());
      assert.equal(await rig.store.count({ standings: ["scheduled", "ready", "suspect", "held"] }), 6);
    });

    promise(open, "of a job that failed and then waits, count the wait", async (rig) => {
      const job = await rig.running();
      await rig.fail(job);
      rig.clock.advance(HOUR_MS);
      const again = await rig.claimOne();
      await rig.settle(again, { type: "waiting", waits: [sleepFor(HOUR_MS)] });
      assert.deepEqual(await counted(rig), some({ waiting: 1 }));
    });

    promise(open, "count suspects as retried, and running jobs not at all", async (rig) => {
      await rig.suspects(2);
      await rig.submit();
      await rig.claim(1, { suspects: 0 });
      assert.deepEqual(await counted(rig), some({ retrying: 2 }));
    });

    promise(open, "name what is unserved or paused before what is limited", async (rig) => {
      await rig.submit();
      await rig.submit({ kind: "report" });
      const unserved = [{ kind: "mail", stage: "running", jobs: 1 }];
      const paused = new Set(["mail", "report"]);
      const pending = await rig.store.pending();
      assert.deepEqual(waitingView({ pending, unserved, paused }), some({ unserved: 1, paused: 1 }));
    });

    promise(
      open,
      "count jobs of a tenant at its limit as limited, and those of others as ready",
      async (rig) => {
        for (const tenant of ["a", "a", "a", "b", "b"]) await rig.submit({ tenant });
        await rig.claim(1);
        assert.deepEqual(await counted(rig, "a"), some({ limited: 2 }));
        assert.deepEqual(await counted(rig), some({ limited: 2, ready: 2 }));
      },
      { limits: { maxConcurrentPerTenant: 1, tenantOverflow: "queue" } },
    );

    promise(
      open,
      "count jobs of a kind that runs as many as it may as limited",
      async (rig) => {
        await rig.submit();
        await rig.submit();
        assert.deepEqual(await counted(rig), some({ ready: 2 }));
        await rig.claim(1);
        assert.deepEqual(await counted(rig), some({ limited: 1 }));
      },
      { plans: [planOf("mail", ["running"], { concurrency: { total: 1 } }), REPORT] },
    );

    promise(
      open,
      "count jobs behind a concurrency key as waiting",
      async (rig) => {
        await rig.submit({ concurrencyKey: "k" });
        await rig.submit({ concurrencyKey: "k" });
        assert.equal((await rig.claim(2)).length, 1);
        assert.deepEqual(await counted(rig), some({ waiting: 1 }));
      },
      { plans: [keyedMail(), REPORT] },
    );
  });
}

async function counted(rig: Rig, tenant?: string): Promise<WaitingView> {
  return waitingView({ pending: await rig.store.pending(tenant), unserved: [], paused: new Set() });
}

function some(counts: Partial<WaitingView>): WaitingView {
  return { ...noneWaiting(), ...counts };
}

async function three(rig: Rig, tenant: string): Promise<[ClaimedJob, ClaimedJob, ClaimedJob]> {
  for (let i = 0; i < 3; i++) await rig.submit({ tenant });
  return (await rig.claim(3)) as [ClaimedJob, ClaimedJob, ClaimedJob];
}
