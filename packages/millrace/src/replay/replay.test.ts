// runtimes: bun, node or node22

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, type ExportedJob, type Kind } from "../index.ts";
import { Testkit } from "../testing.ts";

let charges = 0;
let mails = 0;

const payload = z.object({ id: z.number() });
const order = defineKind({
  name: "order",
  payload,
  run: async (ctx, { id }) => {
    ctx.log.info(`order ${id}`);
    const receipt = await ctx.step("charge", () => `receipt ${++charges}`);
    await ctx.sleep("cool-off", { hours: 2 });
    const { winner } = await ctx.race("payment", {
      paid: ctx.waitForSignal("paid"),
      late: ctx.sleep("limit", { days: 3 }),
    });
    if (winner === "late") return { receipt, shipped: false };
    const mail = await ctx.step("mail", () => ++mails);
    return { receipt, shipped: true, mail };
  },
});

/** The order as it waits for its payment. */
async function waitingOrder(): Promise<ExportedJob> {
  return withKit([order], async (kit) => {
    const job = await kit.millrace.submit(order, { id: 7 });
    await kit.advance(2 * 3_600_000);
    return exportedFrom(kit, job.id);
  });
}

/** As it is read from a file. */
async function exportedFrom(kit: Testkit, jobId: string): Promise<ExportedJob> {
  return JSON.parse(JSON.stringify(await kit.millrace.exportJob(jobId)));
}

async function withKit<T>(kinds: Kind[], body: (kit: Testkit) => Promise<T>): Promise<T> {
  const kit = await Testkit.open({ kinds });
  try {
    return await body(kit);
  } finally {
    await kit.stop();
  }
}

describe("a replay", () => {
  test("runs the code from what is stored, up to the wait that has no answer, and has no effect", async () => {
    const exported = await waitingOrder();
    const [before] = [charges];
    await withKit([order], async (kit) => {
      const done = await kit.replay(exported);
      assert.deepEqual(done.end, { type: "waits", for: ['signal "paid"', 'sleep "limit"'] });
      assert.deepEqual([done.unreached, done.logs, charges], [[], ["order 7"], before]);
      assert.equal(await kit.millrace.count(), 0, "nothing is written to the store of the kit");
    });
  });

  test("stops at the first step without a stored value, and runs it with live", async () => {
    const exported = await withKit([order], async (kit) => {
      const job = await kit.millrace.submit(order, { id: 8 });
      await kit.advance(2 * 3_600_000);
      await kit.signal(order, job, "paid", null);
      const whole = await exportedFrom(kit, job.id);
      return { ...whole, steps: whole.steps.filter(({ name }) => name !== "mail") };
    });
    const before = mails;
    await withKit([order], async (kit) => {
      const stopped = await kit.replay(exported);
      assert.deepEqual(stopped.end, { type: "stopped", call: 'ctx.step("mail")' });
      assert.equal(mails, before, "the step did not run");
      const live = await kit.replay(exported, { live: true });
      assert.equal(live.end.type, "returned");
      assert.equal(mails, before + 1);
    });
  });

  test("names stored steps and waits that changed code does not come to", async () => {
    const exported = await waitingOrder();
    const renamed = defineKind({
      name: "order",
      payload,
      run: async (ctx) => {
        await ctx.step("charge-card", () => ++charges);
        return null;
      },
    });
    const before = charges;
    await withKit([renamed], async (kit) => {
      const done = await kit.replay(exported);
      assert.deepEqual(done.end, { type: "stopped", call: 'ctx.step("charge-card")' });
      assert.deepEqual(done.unreached.toSorted(), [
        'signal "paid"',
        'sleep "cool-off"',
        'sleep "limit"',
        'step "charge"',
      ]);
      assert.equal(charges, before);
    });
    const mended = defineKind({
      name: "order",
      payload,
      run: async (ctx) => {
        await ctx.step("charge-card", () => ++charges, { renamedFrom: "charge" });
        await ctx.sleep("cool-off", { hours: 2 });
        await Promise.all([ctx.waitForSignal("paid"), ctx.sleep("limit", { days: 3 })]);
        return null;
      },
    });
    await withKit([mended], async (kit) => assert.deepEqual((await kit.replay(exported)).unreached, []));
  });

  test("says that the code fails, that a stage is unknown, and that an input is gone", async () => {
    const exported = await waitingOrder();
    const strict = defineKind({
      name: "order",
      payload: z.object({ id: z.number() }),
      run: async () => {
        throw new Error("This code is broken.");
      },
    });
    await withKit([strict], async (kit) => {
      const done = await kit.replay(exported);
      assert.deepEqual(
        [done.end.type, done.end.type === "threw" && done.end.message],
        ["threw", "This code is broken."],
      );
      await assert.rejects(kit.replay(exported, { stage: "runing" }), { code: "invalid-request", message: /no stage/ });
    });
    const staged = defineKind({ name: "order", payload })
      .stage("running", { run: (_ctx, { id }) => id + 1 })
      .stage("second", { run: (_ctx, n: number) => n * 2 });
    await withKit([staged], async (kit) => {
      await assert.rejects(kit.replay(exported, { stage: "second" }), { message: /input of the stage "second"/ });
      const job = await kit.millrace.submit(staged, { id: 1 });
      await kit.finish(job);
      const first = await kit.replay(await exportedFrom(kit, job.id), { stage: "running" });
      assert.deepEqual(first.end, { type: "returned", result: 2 });
    });
  });
});
