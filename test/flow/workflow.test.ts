// A job that waits, on both stores: it sleeps, hears signals and events, asks a person, and survives a restart at each wait.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, type Millrace } from "../../packages/millrace/src/index.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { withEngine } from "./support/engine.ts";

const WAIT = { timeoutMs: scaled(20_000) };

async function waitsFor(millrace: Millrace, jobId: string, name: string): Promise<void> {
  await until(`the job waits for ${name}`, async () =>
    (await millrace.waits(jobId)).some((wait) => wait.name === name && wait.state === "open"),
  );
}

describe("a workflow", () => {
  test("charges once, sleeps, waits for its signal and goes on, without holding a processor", async () => {
    let charges = 0;
    let runs = 0;
    const order = defineKind({
      name: "order",
      payload: z.object({ id: z.number() }),
      signals: { paid: z.object({ amount: z.number() }) },
      run: async (ctx, { id }) => {
        runs++;
        const receipt = await ctx.step("charge", () => `receipt ${id}.${++charges}`);
        await ctx.sleep("cool-off", { ms: 20 });
        const paid = (await ctx.waitForSignal("paid", { timeout: { minutes: 5 } })) as { amount: number } | undefined;
        return { receipt, amount: paid?.amount ?? null };
      },
    });
    await withEngine({ kinds: [order], processors: 1 }, async ({ millrace }) => {
      const first = await millrace.submit(order, { id: 1 });
      await waitsFor(millrace, first.id, "paid");
      assert.equal(millrace.pools()[0]?.processors.filter(({ state }) => state === "busy").length, 0);
      const second = await millrace.submit(order, { id: 2 });
      await waitsFor(millrace, second.id, "paid");
      await assert.rejects(millrace.signal(order, first.id, "paid", { amount: "ten" }), { code: "invalid-request" });
      await millrace.signal(order, first.id, "paid", { amount: 10 });
      assert.deepEqual(await first.wait(WAIT), { receipt: "receipt 1.1", amount: 10 });
      await millrace.signal(order, second.id, "paid", { amount: 20 });
      assert.deepEqual(await second.wait(WAIT), { receipt: "receipt 2.2", amount: 20 });
      assert.deepEqual([charges, runs], [2, 6], "two charges, three runs of each function");
      await assert.rejects(millrace.signal(order, first.id, "paid", { amount: 1 }), { code: "conflict" });
    });
  });

  test("takes the first of several waits, and stores the winner", async () => {
    const payment = defineKind({
      name: "payment",
      payload: z.object({ limitMs: z.number() }),
      run: async (ctx, { limitMs }) => {
        const { winner, value } = await ctx.race("payment", {
          paid: ctx.waitForSignal("paid"),
          late: ctx.sleep("limit", limitMs),
        });
        await ctx.sleep("after", 1);
        return { winner, value: value ?? null };
      },
    });
    await withEngine({ kinds: [payment] }, async ({ millrace }) => {
      const late = await millrace.submit(payment, { limitMs: 5 });
      assert.deepEqual(await late.wait(WAIT), { winner: "late", value: null });
      const paid = await millrace.submit(payment, { limitMs: 600_000 });
      await waitsFor(millrace, paid.id, "paid");
      await millrace.signal("payment", paid.id, "paid", 7);
      assert.deepEqual(await paid.wait(WAIT), { winner: "paid", value: 7 });
      const states = (await millrace.waits(paid.id)).map(({ name, state }) => `${name} ${state}`);
      assert.deepEqual(states, ["paid answered", "limit closed", "payment answered", "after timed-out"]);
    });
  });

  test("asks a person and hears events by their fields", async () => {
    const ship = defineKind({
      name: "ship",
      payload: z.object({ orderId: z.number() }),
      run: async (ctx, { orderId }) => {
        const packed = await ctx.waitForEvent("packed", { match: { orderId } });
        const decision = await ctx.waitForApproval("ship", { title: `Ship ${orderId}?`, choices: ["yes", "no"] });
        return { box: packed?.["box"] ?? null, choice: decision?.choice ?? null, by: decision?.by ?? null };
      },
    });
    await withEngine({ kinds: [ship] }, async ({ millrace }) => {
      const job = await millrace.submit(ship, { orderId: 7 });
      await waitsFor(millrace, job.id, "packed");
      assert.equal((await millrace.publish("packed", { orderId: 8 })).woken, 0);
      assert.equal((await millrace.publish("packed", { orderId: 7, box: "B" })).woken, 1);
      await waitsFor(millrace, job.id, "ship");
      const [approval] = await millrace.approvals();
      assert.deepEqual([approval?.title, approval?.choices], ["Ship 7?", ["yes", "no"]]);
      await assert.rejects(millrace.decide(approval?.id ?? "", { choice: "maybe", by: "ann" }), /yes, no/);
      await millrace.decide(approval?.id ?? "", { choice: "yes", by: "ann" });
      await assert.rejects(millrace.decide(approval?.id ?? "", { choice: "no", by: "bob" }), { code: "conflict" });
      assert.deepEqual(await job.wait(WAIT), { box: "B", choice: "yes", by: "ann" });
    });
  });

  test("works beside its waits until nothing but waits is left", async () => {
    const both = defineKind({
      name: "both",
      payload: z.null(),
      run: async (ctx) => {
        const steps = async () => {
          const values: number[] = [];
          for (let n = 0; n < 3; n++) values.push(await ctx.step(`step ${n}`, async () => n * 10));
          return values;
        };
        const [values, signal] = await Promise.all([steps(), ctx.waitForSignal("go")]);
        return { values, signal };
      },
    });
    await withEngine({ kinds: [both] }, async ({ millrace }) => {
      const job = await millrace.submit(both, null);
      await waitsFor(millrace, job.id, "go");
      assert.equal((await millrace.steps(job.id)).length, 3, "all steps are stored before the attempt ends");
      await millrace.signal("both", job.id, "go", "now");
      assert.deepEqual(await job.wait(WAIT), { values: [0, 10, 20], signal: "now" });
    });
  });

  test("refuses a name that is used again before its first wait is answered, and a race over other promises", async () => {
    const twice = defineKind({
      name: "twice",
      payload: z.enum(["names", "race"]),
      maxAttempts: 1,
      run: async (ctx, what) => {
        if (what === "race") return ctx.race("r", { a: Promise.resolve(1) });
        return Promise.all([ctx.waitForSignal("a"), ctx.waitForSignal("a")]);
      },
    });
    await withEngine({ kinds: [twice] }, async ({ millrace }) => {
      await assert.rejects(async () => (await millrace.submit(twice, "names")).wait(WAIT), /was called again before/);
      await assert.rejects(async () => (await millrace.submit(twice, "race")).wait(WAIT), /is not a wait/);
    });
  });

  test("in a loop takes each signal once, in order", async () => {
    const sum = defineKind({
      name: "sum",
      payload: z.number(),
      run: async (ctx, count) => {
        let total = 0;
        for (let n = 0; n < count; n++) total += ((await ctx.waitForSignal("item")) as number) * 10 ** n;
        return total;
      },
    });
    await withEngine({ kinds: [sum] }, async ({ millrace }) => {
      const job = await millrace.submit(sum, 3);
      for (const n of [1, 2, 3]) await millrace.signal("sum", job.id, "item", n);
      assert.equal(await job.wait(WAIT), 321);
    });
  });
});
