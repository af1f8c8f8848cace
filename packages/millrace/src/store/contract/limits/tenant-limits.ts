import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { SubmitAnswer } from "../../verbs/submission.ts";
import { type OpenData, promise } from "../rig.ts";

export function describeTenantLimits(open: OpenData): void {
  describe("limits of a tenant's own", () => {
    promise(open, "are stored as they were put, replaced whole, and gone once deleted", async (rig) => {
      assert.equal(await rig.store.findTenantLimits("acme"), undefined);
      const all = {
        concurrency: 2,
        rate: { count: 5, perMs: 1_000 },
        weight: 2.5,
        queueMax: 7,
        overflow: "queue",
      } as const;
      await rig.store.putTenantLimits("acme", all);
      assert.deepEqual(await rig.store.findTenantLimits("acme"), all);
      await rig.store.putTenantLimits("acme", { queueMax: 3 });
      assert.deepEqual(await rig.store.findTenantLimits("acme"), { queueMax: 3 });
      assert.equal(await rig.store.deleteTenantLimits("acme"), "done");
      assert.equal(await rig.store.findTenantLimits("acme"), undefined);
      assert.equal(await rig.store.deleteTenantLimits("acme"), "not-found");
      assert.equal(await rig.store.deleteTenantLimits("nobody"), "not-found");
    });

    promise(open, "bound the running jobs of this tenant alone, in every process and kind", async (rig) => {
      const b = await rig.another();
      await rig.store.putTenantLimits("acme", { concurrency: 2, overflow: "queue" });
      for (let i = 0; i < 4; i++) {
        await rig.submit({ tenant: "acme" });
        await rig.submit({ tenant: "free" });
      }
      await rig.submit({ tenant: "acme", kind: "report" });
      const first = await rig.claim(1, { kind: "report" }, b);
      assert.equal(first.length, 1);
      assert.deepEqual(tenantsOf(await rig.claim(9)), ["acme", "free", "free", "free", "free"]);
      assert.deepEqual(await rig.claim(9, {}, b), []);
      await rig.complete(first[0] as ClaimedJob, "1", b);
      assert.deepEqual(tenantsOf(await rig.claim(9, {}, b)), ["acme"]);
    });

    promise(
      open,
      "take the place of the limit of all tenants, up and down",
      async (rig) => {
        await rig.store.putTenantLimits("more", { concurrency: 3 });
        await rig.store.putTenantLimits("less", { concurrency: 1 });
        await rig.store.putTenantLimits("any", { concurrency: 0 });
        for (const tenant of ["more", "less", "any", "usual"]) {
          for (let i = 0; i < 5; i++) await rig.submit({ tenant });
        }
        assert.deepEqual(counted(await rig.claim(30)), { any: 5, less: 1, more: 3, usual: 2 });
      },
      { limits: { maxConcurrentPerTenant: 2, tenantOverflow: "queue" } },
    );

    promise(open, "that are raised, lowered and deleted hold for what already waits", async (rig) => {
      const b = await rig.another();
      await rig.store.putTenantLimits("acme", { concurrency: 1, overflow: "queue" });
      for (let i = 0; i < 9; i++) await rig.submit({ tenant: "acme" });
      const [first] = await rig.claim(9);
      assert.deepEqual(await rig.claim(9, {}, b), []);
      await b.putTenantLimits("acme", { concurrency: 3, overflow: "queue" });
      assert.equal((await rig.claim(9)).length, 2);
      await rig.store.putTenantLimits("acme", { concurrency: 2, overflow: "queue" });
      await rig.complete(first as ClaimedJob);
      assert.deepEqual(await rig.claim(9, {}, b), []);
      await rig.store.deleteTenantLimits("acme");
      assert.equal((await rig.claim(9, {}, b)).length, 6);
    });

    for (const weight of [undefined, 2]) {
      promise(
        open,
        `that are reached keep nobody else waiting, also while suspects wait; weight: ${weight}`,
        async (rig) => {
          await rig.suspects(2, "acme");
          // The lane of the other tenant was served last.
          await rig.submit({ tenant: "free" });
          await rig.claim(1, { suspects: 0 });
          await rig.submit({ tenant: "acme" });
          const other = await rig.submit({ tenant: "free" });
          await rig.store.putTenantLimits("acme", { concurrency: 1, overflow: "queue", ...(weight && { weight }) });
          assert.deepEqual(tenantsOf(await rig.claim(1, { suspects: 1 })), ["acme"]);
          assert.deepEqual(await rig.claimIds(1), [other]);
        },
      );
    }

    promise(open, "count the jobs of bundles too, which were claimed before the limit was set", async (rig) => {
      for (let i = 0; i < 60; i++) await rig.submit({ tenant: "acme" });
      assert.equal((await rig.claim(40)).length, 40);
      await rig.store.putTenantLimits("acme", { concurrency: 41, overflow: "queue" });
      assert.equal((await rig.claim(40)).length, 1);
    });

    promise(open, "hold for suspects", async (rig) => {
      await rig.suspects(3, "acme");
      await rig.store.putTenantLimits("acme", { concurrency: 1, overflow: "queue" });
      assert.equal((await rig.claim(5)).length, 1);
      assert.equal((await rig.claim(5, {}, await rig.another())).length, 0);
    });

    promise(open, "refuse submissions with a sentence that names them", async (rig) => {
      await rig.store.putTenantLimits("acme", { concurrency: 1, rate: { count: 3, perMs: 10_000 } });
      await rig.running({ tenant: "acme" });
      const busy = refusalOf(await rig.offer({ tenant: "acme" }));
      assert.equal(busy.code, "tenant-busy");
      assert.equal(busy.message, '1 job is running; the limit of tenant "acme" is 1.');
      await rig.store.putTenantLimits("acme", { rate: { count: 3, perMs: 10_000 } });
      await rig.submit({ tenant: "acme" });
      await rig.submit({ tenant: "acme" });
      const limited = refusalOf(await rig.offer({ tenant: "acme" }));
      assert.equal(limited.code, "rate-limited");
      assert.equal(limited.message, 'The limit of tenant "acme" is 3 new jobs per 10000 ms.');
      assert.equal(limited.retryAfterMs, 10_000);
      await rig.submit({ tenant: "other" });
      rig.clock.advance(10_000);
      await rig.submit({ tenant: "acme" });
    });

    promise(
      open,
      "on the rate take the place of the rate of all tenants, up and down",
      async (rig) => {
        const b = await rig.another();
        await rig.store.putTenantLimits("more", { rate: { count: 4, perMs: 60_000 } });
        await rig.store.putTenantLimits("any", { rate: { count: 0, perMs: 1 } });
        const batch = (tenant: string, count: number) => ({
          tenant,
          jobs: Array.from({ length: count }, () => ({ kind: "mail", payload: "1" })),
        });
        const types = (answers: SubmitAnswer[]) => answers.map(({ type }) => type);
        assert.deepEqual(types(await b.submit([batch("more", 4), batch("any", 9), batch("usual", 2)])), [
          "accepted",
          "accepted",
          "accepted",
        ]);
        assert.deepEqual(types(await rig.store.submit([batch("more", 1), batch("any", 9), batch("usual", 1)])), [
          "refused",
          "accepted",
          "refused",
        ]);
      },
      { limits: { maxNewJobsPerMinute: 2 } },
    );

    promise(
      open,
      "on the queue count this tenant's jobs, with and without a bound for all",
      async (rig) => {
        await rig.store.putTenantLimits("acme", { queueMax: 3 });
        await rig.store.putTenantLimits("any", { queueMax: 0 });
        for (let i = 0; i < 3; i++) await rig.submit({ tenant: "acme" });
        const full = refusalOf(await rig.offer({ tenant: "acme" }));
        assert.equal(full.code, "backpressure");
        assert.equal(full.message, '3 jobs wait for "mail/running"; the limit of tenant "acme" is 3.');
        // Its jobs take room in the queue of all.
        assert.equal(refusalOf(await rig.offer({ tenant: "usual" })).code, "backpressure");
        for (let i = 0; i < 4; i++) await rig.submit({ tenant: "any" });
        await rig.submit({ tenant: "acme", kind: "report" });
        await rig.submit({ tenant: "acme", delayMs: 1_000 });
        assert.equal((await rig.claim(20)).length, 7);
        await rig.submit({ tenant: "acme" });
        rig.clock.advance(1_000);
        await rig.submit({ tenant: "acme" });
        assert.equal((await rig.offer({ tenant: "acme" })).type, "refused");
        const jobs = [1, 2].map(() => ({ kind: "report", payload: "1" }));
        await rig.store.putTenantLimits("acme", { queueMax: 2 });
        assert.equal((await rig.store.submit([{ tenant: "acme", jobs }]))[0]?.type, "refused");
      },
      { limits: { queueMax: 2 } },
    );

    promise(open, "hold in a process that has not looked since: with its very next submission", async (rig) => {
      const b = await rig.another();
      await rig.submit({ tenant: "acme" }, b);
      await rig.store.putTenantLimits("acme", { rate: { count: 1, perMs: 60_000 } });
      await rig.submit({ tenant: "acme" }, b);
      assert.equal((await rig.offer({ tenant: "acme" }, b)).type, "refused");
      await rig.store.deleteTenantLimits("acme");
      await rig.submit({ tenant: "acme" }, b);
    });
  });
}

function tenantsOf(jobs: ClaimedJob[]): string[] {
  return jobs.map(({ tenant }) => tenant).sort();
}

function counted(jobs: ClaimedJob[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const tenant of tenantsOf(jobs)) counts[tenant] = (counts[tenant] ?? 0) + 1;
  return counts;
}

function refusalOf(answer: SubmitAnswer): Extract<SubmitAnswer, { type: "refused" }> {
  assert.equal(answer.type, "refused", JSON.stringify(answer));
  return answer as Extract<SubmitAnswer, { type: "refused" }>;
}
