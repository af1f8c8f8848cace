// runtimes: bun or node
// The deadline of a job, through the engine: options, abortion, explanation and events.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { type AppError, defineKind, LeaseLost } from "../../packages/millrace/src/index.ts";
import { Testkit } from "../../packages/millrace/src/testing.ts";

const quote = defineKind({
  name: "quote",
  payload: z.string(),
  deadlineMs: 10_000,
  run: async (ctx) => {
    await ctx.hold("somebody must look at it");
  },
});

describe("the deadline of a job", () => {
  test("comes from its kind, and from its submission first", async (t) => {
    const kit = await Testkit.open({ kinds: [quote], work: false });
    t.after(() => kit.stop());
    const ofKind = await kit.millrace.submit(quote, "a");
    const own = await kit.millrace.submit(quote, "b", { deadlineMs: 60_000 });
    const deadlineOf = async (job: typeof own) => Date.parse((await job.view())?.deadlineAt ?? "") - kit.clock.now();
    assert.equal(await deadlineOf(ofKind), 10_000);
    assert.equal(await deadlineOf(own), 60_000);
    await assert.rejects(
      kit.millrace.submit(quote, "c", { deadlineMs: 0 }),
      (error: AppError) => error.code === "invalid-request" && /deadlineMs must be/.test(error.message),
    );
  });

  test("fails a held job, which explain announces and hooks hear of", async (t) => {
    const kit = await Testkit.open({ kinds: [quote] });
    t.after(() => kit.stop());
    const heard: string[] = [];
    kit.millrace.on("failed", ({ failure }) => {
      heard.push(failure.code);
    });
    const job = await kit.millrace.submit(quote, "a");
    await kit.runUntilIdle();
    const { reasons } = (await kit.millrace.explain(job.id)) ?? { reasons: [] };
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ["held", "deadline"],
    );
    assert.match(reasons[1]?.message ?? "", /^The job fails at .* if it has not ended by then\.$/);
    await kit.advance(9_999);
    assert.equal((await job.view())?.state, "pending");
    await kit.advance(1);
    const view = await job.view();
    assert.equal(view?.state, "failed");
    assert.equal(view?.failure?.code, "deadline");
    assert.equal(view?.error, "The job did not end within 10000 ms of its submission.");
    await assert.rejects(job.wait(), (error: AppError) => error.code === "deadline");
    assert.deepEqual(heard, ["deadline"]);
  });

  test("aborts a running attempt and drops its result", async (t) => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<unknown>();
    const slow = defineKind({
      name: "slow",
      payload: z.null(),
      run: async (ctx) => {
        ctx.signal.addEventListener("abort", () => aborted.resolve(ctx.signal.reason));
        started.resolve();
        await aborted.promise;
        return "too late";
      },
    });
    const kit = await Testkit.open({ kinds: [slow] });
    t.after(() => kit.stop());
    const job = await kit.millrace.submit(slow, null, { deadlineMs: 1_000 });
    await started.promise;
    kit.clock.advance(1_000);
    await kit.millrace.tick();
    const reason = await aborted.promise;
    assert.ok(reason instanceof LeaseLost);
    assert.equal(reason.reason, "deadline");
    await kit.runUntilIdle();
    const view = await job.view();
    assert.equal(view?.state, "failed");
    assert.equal(view?.result, undefined);
  });
});
