// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, type JobHandle, type LeaseLost } from "../../packages/millrace/src/index.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { gate, history, untilState, withEngine } from "./support/engine.ts";

const echo = defineKind({ name: "echo", payload: z.unknown(), run: (_ctx, payload) => payload });

describe("control", () => {
  test("a job whose kind keeps nothing still gives its result to who waits for it here, and is gone", async () => {
    const fleeting = defineKind({ name: "fleeting", keep: "none", payload: z.number(), run: (_ctx, n) => n * 2 });
    await withEngine({ kinds: [fleeting] }, async ({ millrace }) => {
      const job = await millrace.submit(fleeting, 21);
      assert.equal(await job.wait({ timeoutMs: scaled(10_000) }), 42);
      assert.equal(await job.wait({ timeoutMs: scaled(10_000) }), 42, "also when asked later");
      assert.equal(await job.view(), undefined);
    });
  });

  test("a pending job is cancelled and never runs", async () => {
    await withEngine({ kinds: [echo] }, async ({ millrace }) => {
      const job = await millrace.submit(echo, 1, { delayMs: 60_000 });
      await job.cancel("changed my mind");
      await assert.rejects(job.wait({ timeoutMs: scaled(10_000) }), {
        code: "job-cancelled",
        message: /changed my mind/,
      });
      await assert.rejects(job.cancel(), { code: "conflict" });
      assert.deepEqual(await millrace.attempts(job.id), []);
    });
  });

  test("a running processor hears of the cancel by its signal, and all it does afterwards is refused", async () => {
    const heard = Promise.withResolvers<string>();
    const after = Promise.withResolvers<unknown>();
    const slow = defineKind({
      name: "slow",
      payload: z.null(),
      run: async (ctx) => {
        await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve(), { once: true }));
        heard.resolve((ctx.signal.reason as LeaseLost).reason);
        let ran = false;
        await ctx.step("late", () => (ran = true)).catch((error) => after.resolve([ran, error.reason]));
        return "too late";
      },
    });
    await withEngine({ kinds: [slow] }, async ({ millrace }) => {
      const job = await millrace.submit(slow, null);
      await untilState(millrace, job.id, "running");
      await millrace.cancel(job.id, "stop it");
      assert.equal((await job.view())?.state, "cancelled");
      assert.equal(await heard.promise, "cancelled");
      assert.deepEqual(await after.promise, [false, "cancelled"], "the step threw before its function ran");
      await until("its processor is idle again", () =>
        millrace.pools()[0]?.processors.every(({ state }) => state === "idle"),
      );
      assert.equal((await job.view())?.result, undefined);
      assert.deepEqual(await history(millrace, job.id), ["running#1 cancelled"]);
    });
  });

  test("a cancel from another process reaches the processor too", async () => {
    const heard = Promise.withResolvers<string>();
    const slow = defineKind({
      name: "slow",
      payload: z.null(),
      run: (ctx) =>
        new Promise((_resolve, reject) => {
          ctx.signal.addEventListener("abort", () => {
            heard.resolve(ctx.signal.reason.reason);
            reject(ctx.signal.reason);
          });
        }),
    });
    await withEngine({ kinds: [slow] }, async ({ millrace, another }) => {
      const other = await another({ kinds: [slow], work: false });
      const job = await other.submit(slow, null);
      await untilState(millrace, job.id, "running");
      await job.cancel();
      assert.equal(await heard.promise, "cancelled");
    });
  });

  test("waiting ends with the job, with the time, or with the caller's own signal", async () => {
    const { opened, open } = gate();
    const slow = defineKind({ name: "slow", payload: z.null(), run: () => opened.then(() => "done") });
    await withEngine({ kinds: [slow] }, async ({ millrace }) => {
      const job = await millrace.submit(slow, null);
      await assert.rejects(job.wait({ timeoutMs: 30 }), { code: "wait-timeout", hint: /Call wait\(\) again/ });
      const controller = new AbortController();
      const waiting = job.wait({ signal: controller.signal });
      controller.abort(new Error("no longer interested"));
      await assert.rejects(waiting, /no longer interested/);
      const waits = Array.from({ length: 20 }, () => job.wait({ timeoutMs: scaled(10_000) }));
      open();
      assert.deepEqual(await Promise.all(waits), Array(20).fill("done"));
      assert.equal(await job.wait(), "done");
      for (const id of ["job_00000000", "unknown", "job_abc123", ""]) {
        await assert.rejects(millrace.job(id).wait(), { code: "job-not-found" });
        await assert.rejects(millrace.cancel(id), { code: "job-not-found" });
        assert.equal(await millrace.find(id), undefined);
      }
    });
  });

  test("many are submitted all or none", async () => {
    const strict = defineKind({
      name: "strict",
      payload: z.number(),
      uniqueKey: (n) => String(n),
      run: (_ctx, n) => n,
    });
    await withEngine({ kinds: [strict] }, async ({ millrace }) => {
      await assert.rejects(millrace.submitMany(strict, [1, 2, "x" as never]), { code: "invalid-request" });
      await assert.rejects(millrace.submitMany(strict, [1, 2, 1]), { code: "already-queued" });
      assert.equal(await millrace.count(), 0);
      const jobs = await millrace.submitMany(
        strict,
        Array.from({ length: 300 }, (_, n) => n),
      );
      const results = await Promise.all(jobs.map((job) => job.wait({ timeoutMs: scaled(20_000) })));
      assert.deepEqual(
        results,
        results.map((_, n) => n),
      );
    });
  });

  test("the same idempotency key gives the same job, another body is refused", async () => {
    await withEngine({ kinds: [echo] }, async ({ millrace, another }) => {
      const options = { idempotencyKey: "k" };
      const first = await millrace.submit(echo, { a: 1, b: 2 }, options);
      const again = await (await another()).submit(echo, { b: 2, a: 1 }, options);
      assert.deepEqual([again.id, again.replayed, first.replayed], [first.id, true, false]);
      assert.deepEqual([first.accepted, again.accepted, millrace.job(first.id).accepted], ["new", "new", undefined]);
      await assert.rejects(millrace.submit(echo, { a: 2 }, options), { code: "idempotency-conflict" });
      assert.deepEqual(await again.wait({ timeoutMs: scaled(10_000) }), { a: 1, b: 2 });
    });
  });

  test("a submission that joins a live job says so, and says it again under the same idempotency key", async () => {
    const order = defineKind({
      name: "order",
      payload: z.number(),
      uniqueKey: String,
      ifUnique: "join",
      run: async () => "done",
    });
    await withEngine({ kinds: [order], work: false }, async ({ millrace }) => {
      const handles = await millrace.submitMany(order, [1, 2]);
      const joined = await millrace.submitMany(order, [2, 3], { idempotencyKey: "k" });
      const again = await millrace.submitMany(order, [2, 3], { idempotencyKey: "k" });
      assert.equal(joined[0]?.id, handles[1]?.id);
      assert.deepEqual(joined.map(wordsOf), ["joined", "new"]);
      assert.deepEqual(again.map(wordsOf), ["joined replayed", "new replayed"]);
    });
    function wordsOf({ accepted, replayed }: JobHandle): string {
      return replayed ? `${accepted} replayed` : String(accepted);
    }
  });

  test("a paused kind waits and a resumed one goes on", async () => {
    await withEngine({ kinds: [echo] }, async ({ millrace, another }) => {
      const other = await another();
      await other.pause("echo");
      const job = await millrace.submit(echo, 1);
      await assert.rejects(job.wait({ timeoutMs: 300 }), { code: "wait-timeout" });
      await millrace.resume("echo");
      assert.equal(await job.wait({ timeoutMs: scaled(10_000) }), 1);
      await assert.rejects(millrace.pause("nobody"), { code: "kind-unknown" });
    });
  });

  test("a dead letter is revived at the stage that failed, with its steps kept", async () => {
    const calls: string[] = [];
    let broken = true;
    const site = defineKind({ name: "site", payload: z.string() })
      .stage("fetch", { run: async (_ctx, url) => calls.push("fetch") && `page of ${url}` })
      .stage("judge", {
        maxAttempts: 1,
        run: async (ctx, page) => {
          await ctx.step("paid", () => calls.push("paid"));
          if (broken) throw new Error("not today");
          return page;
        },
      });
    await withEngine({ kinds: [site] }, async ({ millrace }) => {
      const job = await millrace.submit(site, "x");
      await assert.rejects(job.wait({ timeoutMs: scaled(10_000) }), /not today/);
      broken = false;
      const revived = await millrace.revive(job.id);
      assert.equal(await revived.wait({ timeoutMs: scaled(10_000) }), "page of x");
      assert.deepEqual(calls, ["fetch", "paid"]);
      await assert.rejects(millrace.revive(job.id), (error: { code?: string; details?: { jobId?: string } }) => {
        assert.equal(error.code, "conflict");
        assert.equal(error.details?.jobId, revived.id);
        return true;
      });
      const [old, fresh] = [await job.view(), await revived.view()];
      assert.deepEqual([old?.retriedAs, fresh?.retryOf], [revived.id, job.id]);
    });
  });

  test("a job not started in time fails rather than waiting for ever", async () => {
    await withEngine({ kinds: [echo] }, async ({ millrace }) => {
      await millrace.pause("echo");
      const job = await millrace.submit(echo, 1, { expiresInMs: 50 });
      await assert.rejects(job.wait({ timeoutMs: scaled(10_000) }), /not started within/);
      assert.equal((await job.view())?.failure?.code, "backpressure");
    });
  });

  test("a delayed job starts on time and not before", async () => {
    await withEngine({ kinds: [echo], pollMs: 10_000 }, async ({ millrace }) => {
      const submittedAt = performance.now();
      const job = await millrace.submit(echo, 1, { delayMs: 400 });
      await job.wait({ timeoutMs: scaled(5_000) });
      const tookMs = performance.now() - submittedAt;
      assert.ok(tookMs >= 395 && tookMs < scaled(3_000), `${tookMs} ms`);
    });
  });
});
