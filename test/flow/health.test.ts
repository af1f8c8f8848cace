// runtimes: bun
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, type Log } from "../../packages/millrace/src/index.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { gate, history, withEngine } from "./support/engine.ts";

describe("health", () => {
  test("a processor busy beyond its stage's timeout is marked error and replaced; its job is retried", async () => {
    const { opened, open } = gate();
    const reasons: unknown[] = [];
    const stuck = defineKind({
      name: "stuck",
      payload: z.boolean(),
      processors: 2,
      timeoutMs: 300,
      run: async (ctx, hangs) => {
        ctx.signal.addEventListener("abort", () => reasons.push(ctx.signal.reason.reason));
        if (hangs && ctx.attempt === 1) await opened;
        return ctx.attempt;
      },
    });
    await withEngine({ kinds: [stuck] }, async ({ millrace }) => {
      const job = await millrace.submit(stuck, true);
      assert.equal(await job.wait({ timeoutMs: scaled(10_000) }), 2);
      assert.deepEqual(await history(millrace, job.id), ["running#1 failed", "running#2 completed"]);
      assert.equal((await millrace.attempts(job.id))[0]?.failure?.code, "timed-out");
      assert.deepEqual(reasons, ["timed-out"]);
      const states = () => millrace.pools()[0]?.processors.map(({ state }) => state);
      assert.deepEqual(states(), ["idle", "idle", "error"], "its place in the count is taken");
      const listed = millrace.pools()[0]?.processors.find(({ state }) => state === "error");
      assert.ok(listed?.state === "error" && listed.jobId === job.id && /has not returned/.test(listed.reason));
      assert.equal((await millrace.health()).status, "ok");
      open();
      await until("it is no longer listed once its code returns", () => states()?.length === 2);
      assert.equal((await job.view())?.result, 2, "what it returned late changes nothing");
    });
  });

  test("when as many hang as the pool has processors, health says so and the owner is told", async () => {
    const { opened, open } = gate();
    const fatal = Promise.withResolvers<Error>();
    const stuck = defineKind({
      name: "stuck",
      payload: z.null(),
      processors: 1,
      timeoutMs: 200,
      maxAttempts: 1,
      run: () => opened,
    });
    await withEngine({ kinds: [stuck], onFatal: fatal.resolve }, async ({ millrace }) => {
      const job = await millrace.submit(stuck, null);
      assert.match((await fatal.promise).message, /All processors of stuck\/running hang/);
      const health = await millrace.health();
      assert.equal(health.status, "error");
      assert.match(health.problems[0] ?? "", /hang/);
      assert.equal((await job.view())?.state, "failed");
      open();
    });
  });

  test("a cancelled job whose code takes a moment to end is no ill health", async () => {
    const { opened, open } = gate();
    const slow = defineKind({ name: "slow", payload: z.null(), processors: 1, run: () => opened });
    await withEngine({ kinds: [slow] }, async ({ millrace }) => {
      const job = await millrace.submit(slow, null);
      await until("it runs", async () => (await job.view())?.state === "running");
      await job.cancel();
      assert.deepEqual((await millrace.health()).problems, []);
      open();
    });
  });

  test("a cancelled job whose code is still running past its deadline does hang", async () => {
    const { opened, open } = gate();
    const fatal = Promise.withResolvers<Error>();
    const slow = defineKind({ name: "slow", payload: z.null(), processors: 1, timeoutMs: 600, run: () => opened });
    await withEngine({ kinds: [slow], onFatal: fatal.resolve }, async ({ millrace }) => {
      const job = await millrace.submit(slow, null);
      await until("it runs", async () => (await job.view())?.state === "running");
      await job.cancel();
      assert.match((await fatal.promise).message, /hang/);
      assert.equal((await job.view())?.state, "cancelled");
      open();
    });
  });

  test("a processor that blocks the main loop for three leases keeps its job: one attempt", async () => {
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    const blocker = defineKind({ name: "blocker", payload: z.null(), run: () => Atomics.wait(sleeper, 0, 0, 3_000) });
    await withEngine({ kinds: [blocker], leaseMs: 1_000 }, async ({ millrace, another }) => {
      await another({ kinds: [blocker], work: false });
      const job = await millrace.submit(blocker, null);
      assert.equal(await job.wait({ timeoutMs: scaled(15_000) }), "timed-out");
      assert.deepEqual(await history(millrace, job.id), ["running#1 completed"]);
    });
  });

  test("every check writes one line: queue size and processors by state, per stage", async () => {
    const { opened, open } = gate();
    const line = Promise.withResolvers<unknown>();
    const note = (event: string, fields?: Record<string, unknown>) => {
      const stages = fields?.["stages"] as Record<string, { busy: number }> | undefined;
      if (event === "health" && stages?.["slow/running"]?.busy === 1) line.resolve(stages);
    };
    const log: Log = { infoEnabled: true, debug() {}, info: note, warn() {}, error() {}, child: () => log };
    const slow = defineKind({ name: "slow", payload: z.null(), processors: 1, run: () => opened });
    await withEngine({ kinds: [slow], log, healthIntervalMs: 50 }, async ({ millrace }) => {
      await millrace.submitMany(slow, [null, null, null]);
      assert.deepEqual(await line.promise, { "slow/running": { queueSize: 2, idle: 0, busy: 1, error: 0 } });
      open();
    });
  });
});
