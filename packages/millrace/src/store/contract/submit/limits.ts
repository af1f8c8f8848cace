import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise } from "../rig.ts";

export function describeLimits(open: OpenData): void {
  describe("limits on submissions", () => {
    promise(
      open,
      "at most so many new jobs in any minute, and the refusal says when there is room",
      async (rig) => {
        await rig.submit();
        rig.clock.advance(20_000);
        await rig.submit();
        await rig.submit();
        const refused = await rig.offer();
        assert.equal(refused.type === "refused" && refused.code, "rate-limited");
        assert.equal(refused.type === "refused" && refused.retryAfterMs, 40_000);
        rig.clock.advance(39_999);
        assert.equal((await rig.offer()).type, "refused");
        rig.clock.advance(1);
        await rig.submit();
        const again = await rig.offer();
        assert.equal(again.type === "refused" && again.retryAfterMs, 20_000);
      },
      { limits: { maxNewJobsPerMinute: 3 } },
    );

    promise(
      open,
      "the rate is a tenant's own, counts every job of a batch and holds over all instances",
      async (rig) => {
        const b = await rig.another();
        const batch = (tenant: string, count: number) => ({
          tenant,
          jobs: Array.from({ length: count }, () => ({ kind: "mail", payload: "1" })),
        });
        assert.deepEqual(
          (await rig.store.submit([batch("a", 2), batch("b", 3), batch("a", 2)])).map(({ type }) => type),
          ["accepted", "accepted", "refused"],
        );
        assert.equal((await b.submit([batch("a", 2)]))[0]?.type, "refused");
        assert.equal((await b.submit([batch("a", 1)]))[0]?.type, "accepted");
        assert.equal((await b.submit([batch("b", 1)]))[0]?.type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 3 } },
    );

    promise(
      open,
      "the rate counts on its own: a job that is gone gives nothing back",
      async (rig) => {
        const jobId = await rig.submit();
        await rig.store.cancel([jobId], "x");
        await rig.store.forget([jobId]);
        assert.equal((await rig.offer()).type, "refused");
        const revivable = await rig.another({ limits: {} });
        await rig.submit({}, revivable);
      },
      { limits: { maxNewJobsPerMinute: 1 } },
    );

    promise(
      open,
      "a refused submission does not count against the rate",
      async (rig) => {
        await rig.submit({ uniqueKey: "u" });
        for (let i = 0; i < 5; i++) assert.equal((await rig.offer({ uniqueKey: "u" })).type, "refused");
        await rig.submit();
        assert.equal((await rig.offer()).type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 2 } },
    );

    promise(
      open,
      "a clock set back does not block submissions for as long",
      async (rig) => {
        await rig.submit();
        rig.clock.jump(-3_600_000);
        await rig.submit();
        assert.equal((await rig.offer()).type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 1 } },
    );

    promise(
      open,
      "while a tenant has as many running as it may, its submissions are refused, not others'",
      async (rig) => {
        const job = await rig.running({ tenant: "t" });
        const refused = await rig.offer({ tenant: "t" });
        assert.equal(refused.type === "refused" && refused.code, "tenant-busy");
        assert.ok(refused.type === "refused" && (refused.retryAfterMs ?? 0) > 0);
        await rig.submit({ tenant: "other" });
        await rig.complete(job);
        await rig.submit({ tenant: "t" });
      },
      { limits: { maxConcurrentPerTenant: 1 } },
    );

    promise(
      open,
      "with overflow to the queue they are accepted and wait",
      async (rig) => {
        const job = await rig.running({ tenant: "t" });
        await rig.submit({ tenant: "t" });
        assert.deepEqual(await rig.claim(5), []);
        await rig.complete(job);
        assert.equal((await rig.claim(5)).length, 1);
      },
      { limits: { maxConcurrentPerTenant: 1, tenantOverflow: "queue" } },
    );
  });

  describe("room in the queue", () => {
    promise(
      open,
      "when a stage's queue is full the next submission is refused and nothing of it stored",
      async (rig) => {
        await rig.submit({ tenant: "a" });
        await rig.submit({ tenant: "b" });
        const refused = await rig.offer({ tenant: "c" });
        assert.equal(refused.type === "refused" && refused.code, "backpressure");
        assert.ok(refused.type === "refused" && (refused.retryAfterMs ?? 0) > 0);
        assert.equal(await rig.store.count({}), 2);
        await rig.submit({ kind: "report" });
        await rig.claimOne();
        await rig.submit();
      },
      { limits: { queueMax: 2 } },
    );

    promise(
      open,
      "a batch that does not fit whole is refused whole",
      async (rig) => {
        const jobs = [1, 2, 3].map((n) => ({ kind: "mail", payload: String(n) }));
        const [answer] = await rig.store.submit([{ tenant: "a", jobs }]);
        assert.equal(answer?.type === "refused" && answer.code, "backpressure");
        assert.equal(await rig.store.count({}), 0);
      },
      { limits: { queueMax: 2 } },
    );

    promise(
      open,
      "scheduled jobs take no room until they are due, and then they do",
      async (rig) => {
        for (let i = 0; i < 5; i++) await rig.submit({ delayMs: 1_000 });
        await rig.submit();
        rig.clock.advance(1_000);
        assert.equal((await rig.offer()).type, "refused");
        await rig.submit({ delayMs: 1_000 });
      },
      { limits: { queueMax: 2 } },
    );

    promise(
      open,
      "jobs that run, are held or finished take no room",
      async (rig) => {
        await rig.complete(await rig.running());
        await rig.settle(await rig.running(), { type: "held", reason: "r" });
        await rig.running();
        await rig.submit();
        assert.equal((await rig.offer()).type, "refused");
      },
      { limits: { queueMax: 1 } },
    );
  });

  describe("pace", () => {
    const PACE = { pace: { count: 3, perMs: 5_000 } };

    promise(
      open,
      "at most so many starts per period over all instances, and the claim tells when the next may be",
      async (rig) => {
        const b = await rig.another();
        for (let i = 0; i < 9; i++) await rig.submit();
        const start = rig.clock.now();
        assert.equal((await rig.claim(2, PACE)).length, 2);
        rig.clock.advance(1_000);
        const { jobs, nextAt } = await b.claim({ kind: "mail", stage: "running", slots: [0, 1], suspects: 0, ...PACE });
        assert.equal(jobs.length, 1);
        assert.equal(nextAt, start + 5_000);
        assert.deepEqual(await rig.claim(5, PACE), []);
        rig.clock.advance(3_999);
        assert.deepEqual(await b.claim({ kind: "mail", stage: "running", slots: [0], suspects: 0, ...PACE }), {
          jobs: [],
          nextAt: start + 5_000,
        });
        rig.clock.advance(1);
        assert.equal((await rig.claim(5, PACE)).length, 2);
        rig.clock.advance(1_000);
        assert.equal((await rig.claim(5, PACE, b)).length, 1);
      },
    );

    promise(open, "what a claim did not start does not count", async (rig) => {
      for (let i = 0; i < 5; i++) assert.deepEqual(await rig.claim(5, PACE), []);
      for (let i = 0; i < 3; i++) await rig.submit();
      assert.equal((await rig.claim(5, PACE)).length, 3);
    });

    promise(open, "retries and suspects keep the pace too, and each stage has its own", async (rig) => {
      for (let i = 0; i < 3; i++) await rig.submit();
      for (const job of await rig.claim(3, PACE)) await rig.crash(job);
      assert.deepEqual(await rig.claim(3, PACE), []);
      await rig.submit({ kind: "report" });
      assert.equal((await rig.claim(3, { kind: "report", ...PACE })).length, 1);
      rig.clock.advance(5_000);
      assert.equal((await rig.claim(5, PACE)).length, 3);
    });
  });
}
