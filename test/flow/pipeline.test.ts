// runtimes: bun
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, JobFailure } from "../../packages/millrace/src/index.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { gate, history, untilState, withEngine } from "./support/engine.ts";

describe("a pipeline", () => {
  test("each stage gets what the one before returned, and the last one's is the result", async () => {
    const seen: unknown[] = [];
    const site = defineKind({ name: "site", payload: z.object({ url: z.string() }) })
      .stage("fetch", { run: async (_ctx, { url }) => ({ html: `<p>${url}</p>` }) })
      .stage("count", { run: (ctx, { html }) => [ctx.payload.url, html.length] as const })
      .stage("judge", { run: (ctx, input) => seen.push(ctx.stage, input) && { verdict: input[1] } });
    await withEngine({ kinds: [site] }, async ({ millrace }) => {
      const job = await millrace.submit(site, { url: "x" }, { tags: ["a"], priority: 3, traceId: "t" });
      assert.deepEqual(await job.wait({ timeoutMs: scaled(10_000) }), { verdict: 8 });
      assert.deepEqual(seen, ["judge", ["x", 8]]);
      assert.deepEqual(await history(millrace, job.id), [
        "fetch#1 completed",
        "count#1 completed",
        "judge#1 completed",
      ]);
      const view = await job.view();
      assert.equal(view?.status, "completed");
      assert.deepEqual([view?.tags, view?.priority, view?.traceId], [["a"], 3, "t"]);
    });
  });

  test("the status tells the stage, and inProgress whether a lease is held", async () => {
    const [first, second] = [gate(), gate()];
    const site = defineKind({ name: "site", payload: z.null() })
      .stage("fetch", { run: () => first.opened })
      .stage("judge", { run: () => second.opened });
    await withEngine({ kinds: [site] }, async ({ millrace }) => {
      await millrace.pause("site");
      const job = await millrace.submit(site, null);
      assert.equal((await job.view())?.status, "not-started");
      await millrace.resume("site");
      const running = await untilState(millrace, job.id, "running");
      assert.deepEqual([running.status, running.inProgress], ["fetch", true]);
      first.open();
      await until("it is in the second stage", async () => (await job.view())?.status === "judge");
      second.open();
      await job.wait({ timeoutMs: scaled(10_000) });
      assert.equal((await job.view())?.inProgress, false);
    });
  });

  test("a finished step is not repeated after a failure, and its value is the same the first time", async () => {
    const calls: string[] = [];
    const values: unknown[] = [];
    const paid = defineKind({
      name: "paid",
      payload: z.null(),
      run: async (ctx) => {
        values.push(await ctx.step("call", () => ({ at: new Date(0), cost: calls.push("call"), none: undefined })));
        if (ctx.attempt === 1) throw new Error("after the call");
        return ctx.step("second", () => calls.push("second"));
      },
    });
    await withEngine({ kinds: [paid] }, async ({ millrace }) => {
      const job = await millrace.submit(paid, null);
      assert.equal(await job.wait({ timeoutMs: scaled(10_000) }), 2);
      assert.deepEqual(calls, ["call", "second"]);
      assert.deepEqual(values, Array(2).fill({ at: "1970-01-01T00:00:00.000Z", cost: 1 }));
      assert.deepEqual(
        (await millrace.steps(job.id)).map(({ name }) => name),
        ["call", "second"],
      );
      assert.equal((await job.view())?.lastError, undefined);
    });
  });

  test("a step name used twice in a stage is an error that says so", async () => {
    const twice = defineKind({
      name: "twice",
      payload: z.null(),
      maxAttempts: 1,
      run: async (ctx) => {
        await ctx.step("a", () => 1);
        await ctx.step("a", () => 2);
      },
    });
    await withEngine({ kinds: [twice] }, async ({ millrace }) => {
      const job = await millrace.submit(twice, null);
      await assert.rejects(job.wait({ timeoutMs: scaled(10_000) }), /The step "a" was run before/);
      assert.equal((await job.view())?.failure?.code, "step-name-reused");
    });
  });

  test("without room in a limiter a job is deferred and its processor free for others", async () => {
    const limited = defineKind({
      name: "limited",
      payload: z.boolean(),
      processors: 1,
      run: async (ctx, asks) => {
        if (asks) await ctx.limit("api");
        return ctx.attempt;
      },
    });
    await withEngine({ kinds: [limited], limiters: { api: { count: 1, perMs: 1_500 } } }, async ({ millrace }) => {
      await (await millrace.submit(limited, true)).wait({ timeoutMs: scaled(10_000) });
      const waits = await millrace.submit(limited, true);
      await until("it was deferred", async () => (await history(millrace, waits.id)).includes("running#1 deferred"));
      const other = await millrace.submit(limited, false);
      assert.equal(await other.wait({ timeoutMs: scaled(10_000) }), 1);
      assert.equal((await waits.view())?.state, "pending", "the one processor was free meanwhile");
      assert.equal(await waits.wait({ timeoutMs: scaled(10_000) }), 1);
      assert.equal((await waits.view())?.retries, 0);
    });
  });

  test("progress and log lines are seen while the job runs, and logs afterwards", async () => {
    const { opened, open } = gate();
    const talker = defineKind({
      name: "talker",
      payload: z.null(),
      run: async (ctx) => {
        ctx.progress(0.4, "page 4 of 10");
        ctx.log.info("began", { page: 4 });
        await opened;
        ctx.log.warn("ends");
      },
    });
    await withEngine({ kinds: [talker] }, async ({ millrace }) => {
      const job = await millrace.submit(talker, null);
      const view = await until("progress is seen", async () => {
        const seen = await job.view();
        return seen?.progress && seen;
      });
      assert.equal(view.state, "running");
      assert.deepEqual(view.progress, { value: 0.4, message: "page 4 of 10" });
      const [line] = await millrace.logs(job.id);
      assert.deepEqual([line?.level, line?.message, line?.data], ["info", "began", '{"page":4}']);
      open();
      await job.wait({ timeoutMs: scaled(10_000) });
      assert.deepEqual(
        (await millrace.logs(job.id)).map(({ message }) => message),
        ["began", "ends"],
      );
    });
  });

  test("an artifact is kept with the job", async () => {
    const maker = defineKind({
      name: "maker",
      payload: z.null(),
      run: (ctx) => ctx.artifact("a.bin", new Uint8Array([1, 2, 3]), "x/y"),
    });
    await withEngine({ kinds: [maker] }, async ({ millrace }) => {
      const job = await millrace.submit(maker, null);
      await job.wait({ timeoutMs: scaled(10_000) });
      const artifact = await millrace.artifact(job.id, "a.bin");
      assert.equal(artifact?.contentType, "x/y");
      assert.deepEqual([...(artifact?.bytes ?? [])], [1, 2, 3]);
    });
  });

  test("a payload that no longer fits the code is a clear failure, at once", async () => {
    const run = () => 1;
    const before = defineKind({ name: "k", payload: z.object({ to: z.string() }), run });
    const after = defineKind({ name: "k", payload: z.object({ recipient: z.string() }), run });
    await withEngine({ kinds: [before], work: false }, async ({ millrace, another }) => {
      const job = await millrace.submit(before, { to: "x" });
      const newer = await another({ kinds: [after], work: true });
      await assert.rejects(
        newer.job(job.id).wait({ timeoutMs: scaled(10_000) }),
        /does not fit this version of the kind: recipient:/,
      );
      const view = await job.view();
      assert.deepEqual([view?.failure?.code, view?.failure?.permanent, view?.retries], ["payload-mismatch", true, 1]);
    });
  });

  test("a result that cannot be kept is a failure, not a crash", async () => {
    const results: Record<string, () => unknown> = {
      big: () => "x".repeat(2_000_000),
      endless: () => {
        const value: Record<string, unknown> = {};
        value["self"] = value;
        return value;
      },
    };
    const odd = defineKind({
      name: "odd",
      payload: z.string(),
      maxAttempts: 1,
      run: (_ctx, which) => results[which]?.(),
    });
    await withEngine({ kinds: [odd] }, async ({ millrace }) => {
      await assert.rejects(
        (await millrace.submit(odd, "big")).wait({ timeoutMs: scaled(10_000) }),
        /the limit is 1048576/,
      );
      await assert.rejects(
        (await millrace.submit(odd, "endless")).wait({ timeoutMs: scaled(10_000) }),
        /cannot be stored as JSON: "self" is a reference to an object that contains it/,
      );
    });
  });

  test("odd numbers in when to try again neither hang nor lose the job", async () => {
    const odd = defineKind({
      name: "odd",
      payload: z.number(),
      run: async (ctx, which) => {
        const first = (await ctx.step("first", () => ctx.leaseKey)) === ctx.leaseKey;
        if (first && which === 0) ctx.defer({ delayMs: 0.5 });
        if (first && which === 1) ctx.defer({ delayMs: -7 });
        const retryAfterMs = [0, 0, 0.5, Number.NaN, -1, Number.NEGATIVE_INFINITY][which] as number;
        if (first) throw new JobFailure("again", { retryAfterMs });
        return "done";
      },
    });
    await withEngine({ kinds: [odd] }, async ({ millrace }) => {
      const jobs = await millrace.submitMany(odd, [0, 1, 2, 3, 4, 5]);
      for (const job of jobs) assert.equal(await job.wait({ timeoutMs: scaled(5_000) }), "done");
    });
  });

  test("three failed attempts make a dead letter with every attempt and the last error in view", async () => {
    const broken = defineKind({
      name: "broken",
      payload: z.null(),
      run: (ctx) => {
        throw new JobFailure(`No. ${ctx.attempt}`, { code: "always" });
      },
    });
    await withEngine({ kinds: [broken] }, async ({ millrace }) => {
      const job = await millrace.submit(broken, null);
      await assert.rejects(job.wait({ timeoutMs: scaled(10_000) }), { message: "No. 3" });
      const view = await job.view();
      assert.deepEqual(
        [view?.status, view?.retries, view?.maxAttempts, view?.error, view?.failure?.code],
        ["failed", 3, 3, "No. 3", "always"],
      );
      assert.deepEqual(
        (await millrace.attempts(job.id)).map(({ failure }) => failure?.message),
        ["No. 1", "No. 2", "No. 3"],
      );
    });
  });
});
