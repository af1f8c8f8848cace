import assert from "node:assert/strict";
import { describe } from "node:test";
import { large, MAIL, type OpenData, promise, type Rig } from "../rig.ts";

export function describeClaim(open: OpenData): void {
  describe("claim", () => {
    promise(open, "lower priority goes first, then the earlier runAt, then the order of submission", async (rig) => {
      const now = rig.clock.now();
      await rig.submit({ payload: '"late"', runAt: now + 50 });
      await rig.submit({ payload: '"early 1"', runAt: now + 20 });
      await rig.submit({ payload: '"early 2"', runAt: now + 20 });
      rig.clock.advance(100);
      await rig.submit({ payload: '"now 1"' });
      await rig.submit({ payload: '"now 2"' });
      await rig.submit({ payload: '"urgent"', priority: -1 });
      await rig.submit({ payload: '"idle"', priority: 1, runAt: now });
      assert.deepEqual(await payloads(rig, 10), ["urgent", "early 1", "early 2", "late", "now 1", "now 2", "idle"]);
    });

    promise(open, "ties are broken by order of submission, also one claim at a time", async (rig) => {
      for (let i = 0; i < 6; i++) await rig.submit({ payload: String(i) });
      const order: unknown[] = [];
      for (let i = 0; i < 6; i++) order.push(...(await payloads(rig, 1)));
      assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
    });

    promise(open, "a claim takes no more jobs than there are free processors, and names one for each", async (rig) => {
      for (let i = 0; i < 5; i++) await rig.submit();
      const { jobs } = await rig.store.claim({ kind: "mail", stage: "running", slots: [7, 3, 9], suspects: 0 });
      assert.deepEqual(
        jobs.map((job) => job.lease.slot),
        [7, 3, 9],
      );
      assert.deepEqual(await rig.claim(0), []);
      assert.equal((await rig.claim(10)).length, 2);
      assert.equal((await rig.claim(10)).length, 0);
    });

    promise(open, "a claim takes only its own kind and stage; unknown ones find nothing", async (rig) => {
      await rig.submit({ kind: "report" });
      assert.deepEqual(await rig.claim(5), []);
      assert.deepEqual(await rig.claim(5, { kind: "report", stage: "judge" }), []);
      assert.deepEqual(await rig.claim(5, { kind: "report", stage: "nothing" }), []);
      assert.deepEqual(await rig.claim(5, { kind: "nobody", stage: "running" }), []);
      assert.equal((await rig.claim(5, { kind: "report", stage: "fetch" })).length, 1);
    });

    promise(open, "a claimed job carries all its processor needs", async (rig) => {
      const now = rig.clock.now();
      const jobId = await rig.submit({
        tenant: "acme",
        payload: '{"a":1}',
        priority: 4,
        tags: ["x"],
        traceId: "t",
        timeoutMs: 77,
      });
      rig.clock.advance(30);
      const [job] = await rig.claim();
      assert.deepEqual(job, {
        lease: { jobId, token: job?.lease.token, slot: 0 },
        tenant: "acme",
        payload: '{"a":1}',
        attempt: 1,
        priority: 4,
        tags: ["x"],
        traceId: "t",
        timeoutMs: 77,
        createdAt: now,
        runAt: now,
        claimedAt: now + 30,
        crashes: 0,
        hasSteps: false,
        isLast: true,
      });
      const found = await rig.find(jobId);
      assert.equal(found.standing, "running");
      assert.equal(found.attempt, 1);
      assert.equal(found.startedAt, now + 30);
      assert.match(found.processor ?? "", /#0$/);
      assert.deepEqual(await rig.history(jobId), ["running#1 runs"]);
    });

    promise(open, "of several instances exactly one gets each job", async (rig) => {
      const instances = [rig.store, await rig.another(), await rig.another()];
      for (let i = 0; i < 30; i++) await rig.submit({ payload: large(String(i % 10)) });
      const claims = await Promise.all(instances.map((store) => rig.claim(20, {}, store)));
      const ids = claims.flat().map((job) => job.lease.jobId);
      assert.equal(ids.length, 30);
      assert.equal(new Set(ids).size, 30);
    });

    promise(open, "a scheduled job is not claimed before it is due, and the claim tells when that is", async (rig) => {
      const jobId = await rig.submit({ delayMs: 1_000 });
      await rig.submit({ delayMs: 5_000 });
      const request = { kind: "mail", stage: "running", slots: [0], suspects: 0 };
      const dueAt = rig.clock.now() + 1_000;
      assert.deepEqual(await rig.store.claim(request), { jobs: [], nextAt: dueAt });
      rig.clock.advance(999);
      assert.deepEqual(await rig.store.claim(request), { jobs: [], nextAt: dueAt });
      rig.clock.advance(1);
      assert.equal((await rig.claimOne()).lease.jobId, jobId);
      assert.equal((await rig.claim(2)).length, 0);
    });

    promise(open, "a thousand and more jobs due at once are all claimed", async (rig) => {
      const jobs = Array.from({ length: 2_500 }, () => ({ kind: "mail", payload: "1", delayMs: 10 }));
      await rig.store.submit([{ tenant: "a", jobs }]);
      rig.clock.advance(10);
      let claimed = 0;
      for (let i = 0; i < 6; i++) claimed += (await rig.claim(1_000)).length;
      assert.equal(claimed, 2_500);
    });

    promise(open, "a paused kind is not claimed; what runs goes on, and resuming serves what waited", async (rig) => {
      const running = await rig.running();
      await rig.submit();
      assert.equal(await rig.store.setPaused("mail", true), "done");
      assert.equal((await rig.store.kinds()).find(({ kind }) => kind === "mail")?.paused, true);
      assert.deepEqual(await rig.claim(5), []);
      assert.deepEqual(await rig.claim(5, {}, await rig.another()), []);
      assert.equal((await rig.complete(running)).written, "written");
      assert.equal((await rig.offer()).type, "accepted");
      await rig.store.setPaused("mail", false);
      assert.equal((await rig.claim(5)).length, 2);
      assert.equal(await rig.store.setPaused("nobody", true), "not-found");
    });

    promise(open, "registering a paused kind again leaves it paused", async (rig) => {
      await rig.store.setPaused("mail", true);
      await rig.store.register([MAIL]);
      await rig.submit();
      assert.deepEqual(await rig.claim(), []);
    });
  });
}

async function payloads(rig: Rig, count: number): Promise<unknown[]> {
  return (await rig.claim(count)).map((job) => JSON.parse(job.payload));
}
