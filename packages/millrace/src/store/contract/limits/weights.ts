import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise, type Rig } from "../rig.ts";

export function describeWeights(open: OpenData): void {
  describe("weights of tenants", () => {
    for (const [size, claims] of [
      [1, 60],
      [2, 30],
      [3, 20],
      [7, 9],
      [60, 1],
    ] as const) {
      promise(open, `give turns in proportion, with claims of ${size}`, async (rig) => {
        await rig.store.putTenantLimits("three", { weight: 3 });
        await rig.store.putTenantLimits("two", { weight: 2 });
        await fill(rig, { three: 60, two: 60, one: 60 });
        const counts = await served(rig, claims, size);
        // A round of turns is six jobs: no tenant is ever more than one turn off.
        const all = claims * size;
        for (const [tenant, weight] of Object.entries({ three: 3, two: 2, one: 1 })) {
          const due = (all * weight) / 6;
          assert.ok(Math.abs((counts[tenant] ?? 0) - due) < weight + 1, `${tenant}: ${counts[tenant]} of ${all}`);
          if (all % 6 === 0 && size !== 7) assert.equal(counts[tenant], due, JSON.stringify(counts));
        }
      });
    }

    promise(open, "below 1 give fewer turns than a tenant without a weight gets", async (rig) => {
      await rig.store.putTenantLimits("slow", { weight: 0.25 });
      await fill(rig, { slow: 50, usual: 50, other: 50 });
      assert.deepEqual(await served(rig, 54, 1), { slow: 6, usual: 24, other: 24 });
    });

    promise(open, "that are no whole numbers are exact over several turns", async (rig) => {
      await rig.store.putTenantLimits("a", { weight: 2.5 });
      await rig.store.putTenantLimits("b", { weight: 0.75 });
      await fill(rig, { a: 90, b: 90, c: 90 });
      // 2.5 + 0.75 + 1 is 4.25, so 17 jobs for each four turns of c.
      assert.deepEqual(await served(rig, 68, 1), { a: 40, b: 12, c: 16 });
    });

    promise(open, "count turns over all processes", async (rig) => {
      const b = await rig.another();
      await rig.store.putTenantLimits("three", { weight: 3 });
      await fill(rig, { three: 60, one: 60 });
      const counts: Record<string, number> = {};
      for (let i = 0; i < 40; i++) {
        for (const { tenant } of await rig.claim(1, {}, i % 3 ? b : rig.store))
          counts[tenant] = (counts[tenant] ?? 0) + 1;
      }
      assert.deepEqual(counts, { three: 30, one: 10 });
    });

    promise(open, "leave no processor idle: what a tenant cannot use goes to the others", async (rig) => {
      await rig.store.putTenantLimits("heavy", { weight: 10 });
      await fill(rig, { heavy: 3, light: 30, capped: 30 });
      await rig.store.putTenantLimits("capped", { concurrency: 2, overflow: "queue" });
      assert.deepEqual(await served(rig, 1, 20), { heavy: 3, light: 15, capped: 2 });
    });

    promise(open, "save nothing for later: a tenant that was idle gets its turns and no more", async (rig) => {
      await rig.store.putTenantLimits("idle", { weight: 3 });
      await fill(rig, { idle: 1, busy: 60 });
      await served(rig, 20, 1);
      await fill(rig, { idle: 30 });
      assert.deepEqual(await served(rig, 20, 1), { idle: 15, busy: 5 });
    });

    promise(open, "end when they are deleted: turns are equal again", async (rig) => {
      await rig.store.putTenantLimits("three", { weight: 3 });
      await fill(rig, { three: 60, one: 60 });
      assert.deepEqual(await served(rig, 20, 1), { three: 15, one: 5 });
      await rig.store.deleteTenantLimits("three");
      assert.deepEqual(await served(rig, 20, 1), { three: 10, one: 10 });
    });

    promise(open, "keep a tenant's priorities and the order of its jobs", async (rig) => {
      await rig.store.putTenantLimits("a", { weight: 2 });
      const late = await rig.submit({ tenant: "a", priority: 5 });
      const first = await rig.submit({ tenant: "a" });
      const second = await rig.submit({ tenant: "a" });
      const urgent = await rig.submit({ tenant: "a", priority: -5 });
      assert.deepEqual(await rig.claimIds(4), [urgent, first, second, late]);
    });
  });
}

async function fill(rig: Rig, jobs: Record<string, number>): Promise<void> {
  const submissions = Object.entries(jobs).map(([tenant, count]) => ({
    tenant,
    jobs: Array.from({ length: count }, () => ({ kind: "mail", payload: "1" })),
  }));
  await rig.store.submit(submissions);
}

async function served(rig: Rig, claims: number, each: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < claims; i++) {
    for (const { tenant } of await rig.claim(each)) counts[tenant] = (counts[tenant] ?? 0) + 1;
  }
  return counts;
}
