import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { type OpenData, promise, type Rig } from "../rig.ts";

export function describeCrash(open: OpenData): void {
  describe("crash", () => {
    promise(open, "a crash is counted apart from failures, and the job is tried again at once", async (rig) => {
      const job = await rig.running();
      const settled = await rig.crash(job);
      assert.equal(settled.written === "written" && settled.standing, "ready");
      const found = await rig.find(job.lease.jobId);
      assert.equal(found.crashes, 1);
      assert.equal(found.failures, 0);
      const again = await rig.claimOne({ suspects: 0 });
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
      assert.equal(found.standing, "ready");
      assert.equal(found.crashes, 1);
      assert.equal(found.failure?.code, "lease-expired");
      assert.deepEqual(await rig.history(found.id), ["running#1 abandoned"]);
    });

    promise(
      open,
      "all jobs of a dead process are claimed at once, in their old places before later ones",
      async (rig) => {
        const jobIds = await submitMany(rig, 1_200);
        const held = await rig.claim(1_200, {}, await rig.another());
        assert.equal(held.length, 1_200);
        rig.clock.advance(1);
        await rig.submit();
        assert.equal((await rig.outlive()).length, 1_200);
        const again = await rig.claim(1_200, { suspects: 0 });
        assert.deepEqual(idsOf(again).sort(), jobIds.sort());
      },
    );

    promise(open, "a claim takes no more suspects than it asks for", async (rig) => {
      await rig.suspects(3);
      const innocent = await rig.submit();
      assert.deepEqual(idsOf(await rig.claim(5, { suspects: 0 })), [innocent]);
      assert.equal((await rig.claim(5, { suspects: 0 })).length, 0);
      const [one, ...none] = await rig.claim(5, { suspects: 1 });
      assert.equal(one?.crashes, 2);
      assert.deepEqual(none, []);
      assert.equal((await rig.claim(5, { suspects: 2 })).length, 2);
    });

    promise(open, "suspects with most crashes go first, then as any others", async (rig) => {
      for (const priority of [5, 1, 5]) await rig.submit({ priority, payload: String(priority) });
      await rig.die(3);
      await rig.die(3);
      await rig.die(1);
      const jobs = await rig.claim(3);
      assert.deepEqual(
        jobs.map((job) => `${job.payload} ${job.crashes}`),
        ["1 3", "5 2", "5 2"],
      );
    });

    promise(open, "suspects and others share the free processors, and neither waits for the other", async (rig) => {
      await rig.suspects(5);
      for (let i = 0; i < 5; i++) await rig.submit({ payload: '"new"' });
      const shares = async (count: number, suspectsFirst: boolean) => {
        const jobs = await rig.claim(count, { suspectsFirst });
        return [jobs.filter((job) => job.crashes > 0).length, jobs.filter((job) => job.crashes === 0).length];
      };
      assert.deepEqual(await shares(1, true), [1, 0]);
      assert.deepEqual(await shares(1, false), [0, 1]);
      assert.deepEqual(await shares(4, true), [2, 2]);
      assert.deepEqual(await shares(9, false), [2, 2], "what one leaves the other gets");
    });

    promise(open, "after a death that it has not heard of a process gets no suspects", async (rig) => {
      await rig.suspects(2);
      const request = { kind: "mail", stage: "running", slots: [0], suspects: 1 };
      const { lastDeathAt, suspectsWait } = await rig.store.claim({ ...request, suspects: 0 });
      assert.equal(suspectsWait, true);
      assert.ok((lastDeathAt ?? 0) > 0);
      const stale = await rig.store.claim({ ...request, group: { running: 0, lastDeathAt: (lastDeathAt ?? 0) - 1 } });
      assert.deepEqual(stale.jobs, []);
      assert.equal(stale.lastDeathAt, lastDeathAt);
      const known = { running: 0, lastDeathAt: lastDeathAt as number };
      assert.equal((await rig.store.claim({ ...request, group: known })).jobs.length, 1);
    });

    promise(open, "a suspect one crash from its end runs beside no other", async (rig) => {
      await rig.suspects(3);
      for (let i = 0; i < 3; i++) await rig.die(3);
      const group = (running: number) => rig.claim(3, { group: { running } });
      assert.deepEqual(await group(1), []);
      const [alone, ...others] = await group(0);
      assert.equal(alone?.crashes, 5);
      assert.deepEqual(others, []);
    });

    promise(open, "two lone deaths make a dead letter that names the jobs beside it", async (rig) => {
      const poison = await rig.submit({ payload: '"poison"' });
      await rig.die(1);
      await rig.die(1);
      const first = await rig.submit();
      assert.deepEqual((await rig.die(2)).sort(), [poison, first].sort(), "its first lone death");
      assert.equal(await rig.standing(poison), "suspect");
      await rig.complete(await rig.claimOne({ suspects: 0 }));
      const second = await rig.submit();
      await rig.die(2);
      const found = await rig.find(poison);
      assert.deepEqual([found.standing, found.crashes, found.failures], ["failed", 4, 0]);
      assert.deepEqual([found.failure?.code, found.failure?.permanent], ["crashed", true]);
      assert.match(found.failure?.message ?? "", new RegExp(`4 processes crashed .* ${second}\\.$`));
      assert.equal(await rig.standing(second), "ready", "its neighbour runs on");
    });

    promise(open, "a job that ran beside it both times may be the guilty one", async (rig) => {
      const suspect = await rig.submit();
      await rig.die(1);
      await rig.die(1);
      const neighbour = await rig.submit();
      await rig.die(2);
      await rig.die(2);
      assert.equal(await rig.standing(suspect), "suspect");
      assert.equal(await rig.standing(neighbour), "suspect");
      assert.equal((await rig.find(suspect)).crashes, 4);
    });

    promise(open, "twice maxCrashes crashes make a dead letter in any case", async (rig) => {
      const [first, second] = [await rig.submit(), await rig.submit()];
      for (let i = 0; i < 5; i++) {
        await rig.die(2);
        assert.equal((await rig.find(first)).crashes, i + 1);
      }
      assert.deepEqual([await rig.standing(first), await rig.standing(second)], ["suspect", "suspect"]);
      await rig.die(2);
      assert.deepEqual([await rig.standing(first), await rig.standing(second)], ["failed", "failed"]);
    });

    promise(open, "a death while the process drains adds no crash to any job", async (rig) => {
      const b = await rig.another();
      await submitMany(rig, 3);
      const jobs = await rig.claim(3, {}, b);
      await b.drain();
      assert.deepEqual((await rig.outlive()).sort(), idsOf(jobs).sort());
      for (const jobId of idsOf(jobs)) {
        const { standing, crashes, failures } = await rig.find(jobId);
        assert.deepEqual([standing, crashes, failures], ["ready", 0, 0]);
      }
      assert.deepEqual(await rig.history(jobs[0]?.lease.jobId as string), ["running#1 abandoned"]);
    });

    promise(open, "an attempt that stored a new step before its process died has no crash from it", async (rig) => {
      const [b, jobId] = [await rig.another(), await rig.submit()];
      for (let i = 0; i < 8; i++) {
        const job = await rig.claimOne({}, b);
        assert.notEqual(await b.saveStep(job.lease, `step ${i}`, "1"), "lease-lost");
        await rig.outlive();
        assert.equal((await rig.find(jobId)).crashes, 0);
      }
      await rig.claimOne({}, b);
      await rig.outlive();
      assert.equal((await rig.find(jobId)).crashes, 1, "steps of earlier attempts do not count");
    });

    promise(open, "the answer to a hold is no step of the attempt that died", async (rig) => {
      const [b, job] = [await rig.another(), await rig.running()];
      await rig.settle(job, { type: "held", reason: "waits" });
      assert.equal(await rig.store.release(job.lease.jobId, "1"), "done");
      await rig.claimOne({}, b);
      await rig.outlive();
      assert.equal((await rig.find(job.lease.jobId)).crashes, 1);
    });

    promise(
      open,
      "the second crash of a child waits, and the last one makes a dead letter that says so",
      async (rig) => {
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
        assert.match(found.failure?.message ?? "", /crashed 3 times/);
      },
    );

    promise(
      open,
      "deaths of the whole process do not make a dead letter of a job whose child crashed once",
      async (rig) => {
        const jobId = await rig.submit();
        await rig.die(1);
        await rig.die(1);
        const settled = await rig.crash(await rig.claimOne());
        assert.equal(settled.written === "written" && settled.standing, "scheduled");
        assert.equal((await rig.find(jobId)).crashes, 3);
      },
    );

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
      await rig.die(1);
      await rig.die(1);
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
        await rig.suspects(2, "a");
        await rig.submit({ tenant: "a" });
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

async function submitMany(rig: Rig, count: number): Promise<string[]> {
  const jobs = Array.from({ length: count }, () => ({ kind: "mail", payload: "1" }));
  const [answer] = await rig.store.submit([{ tenant: "default", jobs }]);
  assert.equal(answer?.type, "accepted");
  return answer?.type === "accepted" ? answer.jobIds : [];
}

function idsOf(jobs: ClaimedJob[]): string[] {
  return jobs.map(({ lease }) => lease.jobId);
}
