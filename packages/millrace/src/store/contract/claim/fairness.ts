import assert from "node:assert/strict";
import { describe } from "node:test";
import { type OpenData, promise, type Rig } from "../rig.ts";

export function describeFairness(open: OpenData): void {
  describe("fair turns between tenants", () => {
    promise(open, "a tenant with many jobs does not starve one with three: they take turns", async (rig) => {
      await fill(rig, { big: 20, small: 3 });
      const order = await served(rig, 8, 1);
      assert.deepEqual(order.slice(0, 6).sort(), ["big", "big", "big", "small", "small", "small"]);
      assert.deepEqual(order.slice(6), ["big", "big"]);
      for (let i = 0; i < 6; i += 2) assert.notEqual(order[i], order[i + 1]);
    });

    promise(open, "a claim of many gives each tenant an equal share", async (rig) => {
      await fill(rig, { a: 10, b: 10, c: 10 });
      assert.deepEqual(await shares(rig, 6), { a: 2, b: 2, c: 2 });
      assert.deepEqual(await shares(rig, 9), { a: 3, b: 3, c: 3 });
    });

    promise(open, "what a tenant cannot use of its share goes to the others", async (rig) => {
      await fill(rig, { few: 1, many: 20, some: 3 });
      assert.deepEqual(await shares(rig, 12), { few: 1, many: 8, some: 3 });
    });

    promise(open, "with more tenants than free processors each gets one before any gets two", async (rig) => {
      await fill(rig, { a: 3, b: 3, c: 3, d: 3, e: 3 });
      assert.deepEqual((await served(rig, 5, 2)).sort(), ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e"]);
    });

    promise(open, "a tenant that comes late is served at the next claim", async (rig) => {
      await fill(rig, { old: 50 });
      await served(rig, 10, 1);
      await fill(rig, { late: 1 });
      assert.deepEqual(await served(rig, 1, 1), ["late"]);
    });

    promise(open, "a tenant that was idle gets its turn, but no more turns for having waited", async (rig) => {
      await fill(rig, { idle: 1, busy: 40 });
      await served(rig, 20, 1);
      await fill(rig, { idle: 10 });
      const order = await served(rig, 10, 1);
      assert.equal(order.filter((tenant) => tenant === "idle").length, 5);
    });

    promise(open, "priority orders the jobs of a tenant and buys nobody another's turn", async (rig) => {
      for (let i = 0; i < 4; i++) await rig.submit({ tenant: "loud", priority: -1_000 });
      for (let i = 0; i < 2; i++) await rig.submit({ tenant: "quiet", priority: 1_000 });
      assert.deepEqual((await served(rig, 4, 1)).sort(), ["loud", "loud", "quiet", "quiet"]);
    });

    promise(open, "turns are shared by all instances", async (rig) => {
      const b = await rig.another();
      await fill(rig, { big: 20, small: 4 });
      const order: string[] = [];
      for (let i = 0; i < 8; i++) order.push((await rig.claimOne({}, i % 2 ? b : rig.store)).tenant);
      assert.equal(order.filter((tenant) => tenant === "small").length, 4);
    });

    promise(open, "each stage has turns of its own", async (rig) => {
      await fill(rig, { a: 3 });
      await served(rig, 3, 1);
      for (const tenant of ["a", "b"]) await rig.submit({ kind: "report", tenant });
      const jobs = await rig.claim(2, { kind: "report" });
      assert.deepEqual(jobs.map((job) => job.tenant).sort(), ["a", "b"]);
    });

    promise(open, "a thousand tenants are all served, one job each", async (rig) => {
      const tenants = Array.from({ length: 1_000 }, (_, i) => ({
        tenant: `t${i}`,
        jobs: [
          { kind: "mail", payload: "1" },
          { kind: "mail", payload: "2" },
        ],
      }));
      await rig.store.submit(tenants);
      const seen = (await served(rig, 10, 100)).length;
      assert.equal(seen, 1_000);
      assert.equal(await rig.store.count({ standings: ["ready"] }), 1_000);
      assert.equal(
        new Set((await rig.store.list({ standings: ["running"], limit: 2_000 })).map((job) => job.tenant)).size,
        1_000,
      );
    });
  });
}

async function fill(rig: Rig, jobs: Record<string, number>): Promise<void> {
  for (const [tenant, count] of Object.entries(jobs)) {
    for (let i = 0; i < count; i++) await rig.submit({ tenant });
  }
}

/** The tenants of so many claims of so many jobs, in order. */
async function served(rig: Rig, claims: number, each: number): Promise<string[]> {
  const order: string[] = [];
  for (let i = 0; i < claims; i++) order.push(...(await rig.claim(each)).map((job) => job.tenant));
  return order;
}

async function shares(rig: Rig, count: number): Promise<Record<string, number>> {
  const tenants = (await rig.claim(count)).map((job) => job.tenant).sort();
  const counted: Record<string, number> = {};
  for (const tenant of tenants) counted[tenant] = (counted[tenant] ?? 0) + 1;
  return counted;
}
