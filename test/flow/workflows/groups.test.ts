// runtimes: bun or node
// Batches and flows, through the engine.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, type EndedBatch, JobFailure } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import { withEngine } from "../support/engine.ts";

const WAIT = { timeoutMs: scaled(20_000) };

let isBroken = true;
const part = defineKind({
  name: "part",
  payload: z.number(),
  maxAttempts: 1,
  run: async (_ctx, n) => {
    if (n < 0 && isBroken) throw new JobFailure("Negative.", { code: "negative", permanent: true });
    return n * 2;
  },
});

describe("a batch", () => {
  test("takes pieces of any size and ends in one callback with the counts", async () => {
    const ends: (EndedBatch | undefined)[] = [];
    const report = defineKind({
      name: "report",
      payload: z.string(),
      run: async (ctx) => {
        ends.push(ctx.batch);
        return null;
      },
    });
    isBroken = true;
    await withEngine({ kinds: [part, report], processors: 20 }, async ({ millrace }) => {
      const batch = await millrace.batch({ onEnd: [report, "nightly"] });
      const many = Array.from({ length: 2_100 }, (_, n) => n);
      assert.equal((await batch.add(part, many, { idempotencyKey: "a" })).length, 2_100);
      assert.equal((await batch.add(part, many, { idempotencyKey: "a" })).length, 2_100);
      await batch.add(part, [-1]);
      await batch.seal();
      await until("the callback ran", async () => ends.length > 0);
      assert.deepEqual(ends, [{ id: batch.id, total: 2_101, completed: 2_100, failed: 1, cancelled: 0 }]);
      isBroken = false;
      assert.equal(await batch.retryFailed(), 1);
      await until("the member completed", async () => (await batch.view())?.completed === 2_101);
      const view = await batch.view();
      assert.deepEqual([view?.state, view?.pending, view?.onEnd], ["ended", 0, "report"]);
      assert.equal(ends.length, 1);
      assert.deepEqual(
        (await millrace.batches()).map(({ id }) => id),
        [batch.id],
      );
      await assert.rejects(batch.add(part, [1]), { code: "conflict" });
      await assert.rejects(millrace.openBatch("batch_00000000"), { code: "batch-not-found" });
    });
  });
});

describe("a flow", () => {
  test("runs its jobs in their order and gives each the results of those before it", async () => {
    const sum = defineKind({
      name: "sum",
      payload: z.null(),
      run: async (ctx) => {
        const before = await ctx.dependencies<{ one: number; two: number }>();
        return (before.one.ok ? before.one.result : 0) + (before.two.ok ? before.two.result : 0);
      },
    });
    isBroken = true;
    await withEngine({ kinds: [part, sum] }, async ({ millrace }) => {
      const flow = await millrace.flow((f) => {
        const one = f.job("one", part, 1);
        const two = f.job("two", part, 2, { after: [one] });
        f.job("sum", sum, null, { after: [one, two] });
      });
      assert.equal(await flow["sum"]?.wait(WAIT), 6);
      const failing = await millrace.flow((f) => {
        const bad = f.job("one", part, -1);
        f.job("two", sum, null, { after: [bad], when: "ended" });
      });
      await assert.rejects(async () => failing["one"]?.wait(WAIT), { code: "negative" });
      await assert.rejects(
        millrace.flow((f) => {
          f.job("one", part, 1);
          f.job("one", part, 1);
        }),
        /have the name "one"/,
      );
      await assert.rejects(
        millrace.flow((f) => {
          f.job("late", part, 1, { after: [{ name: "unknown" }] });
        }),
        /added before it/,
      );
    });
  });
});
