// runtimes: bun, node or node22

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, type JobEventName, JobFailure, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";
import { JOB_EVENT_NAMES } from "../../../packages/millrace/src/job/report/job-event.ts";
import { Testkit, type TestkitOptions } from "../../../packages/millrace/src/testing.ts";
import { until } from "../../support/until.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const double = defineKind({ name: "double", payload: z.number(), run: (_ctx, n) => n * 2 });

describe("hooks", () => {
  test("hear the whole life of a job with several stages and a retry, in order", async () => {
    const staged = defineKind({ name: "staged", payload: z.object({ n: z.number() }) })
      .stage("half", {
        run: (ctx, { n }) => {
          if (ctx.attempt === 1) throw new JobFailure("Not yet.", { code: "early", retryAfterMs: 5_000 });
          ctx.progress(0.5, "half way");
          return n / 2;
        },
      })
      .stage("say", { run: (_ctx, n) => `${n}` });
    await withKit({ kinds: [staged], startAt: NOON }, async (kit) => {
      const heard = hearAll(kit.millrace);
      const job = await kit.millrace.submit(staged, { n: 8 }, { tags: ["red"], traceId: "t-1" });
      assert.equal(await kit.finish(job), "4");
      const common = { jobId: job.id, kind: "staged", tenant: "default", tags: ["red"], traceId: "t-1", isLocal: true };
      const at = (ms: number) => ({ at: new Date(NOON.getTime() + ms) });
      const expected = [
        { name: "submitted", stage: "half", runAt: NOON, retryOf: undefined, ...at(0) },
        { name: "started", stage: "half", attempt: 1, waitMs: 0, ...at(0) },
        { name: "attemptFailed", stage: "half", attempt: 1, retryAt: new Date(NOON.getTime() + 5_000), ...at(0) },
        { name: "started", stage: "half", attempt: 2, waitMs: 0, ...at(5_000) },
        { name: "progress", stage: "half", attempt: 2, value: 0.5, message: "half way", ...at(5_000) },
        { name: "stageCompleted", stage: "half", attempt: 2, nextStage: "say", ...at(5_000) },
        { name: "started", stage: "say", attempt: 1, waitMs: 0, ...at(5_000) },
        { name: "completed", stage: "say", attempt: 1, result: "4", ...at(5_000) },
      ];
      assert.equal(heard.length, expected.length, heard.map(({ name }) => name).join());
      for (const [i, event] of expected.entries())
        assert.partialDeepStrictEqual(heard[i], { ...common, payload: { n: 8 }, ...event });
      assert.partialDeepStrictEqual(heard[2], { failure: { code: "early", message: "Not yet.", permanent: false } });
    });
  });

  test("hear failed once, at the end, and attemptFailed at each attempt", async () => {
    const broken = defineKind({
      name: "broken",
      payload: z.string(),
      maxAttempts: 2,
      run: (_ctx, how) => {
        throw new JobFailure("No.", how === "input" ? { code: "bad-input", input: true } : { code: "no" });
      },
    });
    await withKit({ kinds: [broken] }, async (kit) => {
      const heard = hearAll(kit.millrace, ["attemptFailed", "failed"]);
      await assert.rejects(kit.run(broken, "twice"));
      await assert.rejects(kit.run(broken, "input"));
      const said = heard.map(({ name, attempt, retryAt, isDeadLetter }) => ({
        name,
        attempt,
        ...(name === "failed" ? { isDeadLetter } : { isRetried: retryAt !== undefined }),
      }));
      assert.deepEqual(said, [
        { name: "attemptFailed", attempt: 1, isRetried: true },
        { name: "attemptFailed", attempt: 2, isRetried: false },
        { name: "failed", attempt: 2, isDeadLetter: true },
        { name: "attemptFailed", attempt: 1, isRetried: false },
        { name: "failed", attempt: 1, isDeadLetter: false },
      ]);
      assert.partialDeepStrictEqual(heard[2], { failure: { code: "no", message: "No." } });
    });
  });

  test("hear of jobs that are deferred, held, released, cancelled, revived and fired by a schedule", async () => {
    const asked = defineKind({
      name: "asked",
      payload: z.string(),
      run: async (ctx, how) => {
        if (how === "defer" && (await ctx.stored("seen")) === undefined) {
          await ctx.step("seen", () => true);
          ctx.defer({ delayMs: 60_000 }, "too early");
        }
        if (how === "hold" && (await ctx.answers()).length === 0) ctx.hold("needs a look");
        return how;
      },
    });
    await withKit({ kinds: [asked], startAt: NOON }, async (kit) => {
      const { millrace } = kit;
      const names: JobEventName[] = ["submitted", "deferred", "held", "released", "cancelled"];
      const heard = hearAll(millrace, names);
      const take = () => heard.splice(0).map(({ name, reason, runAt, retryOf }) => ({ name, reason, runAt, retryOf }));

      await kit.run(asked, "defer");
      const later = new Date(NOON.getTime() + 60_000);
      assert.partialDeepStrictEqual(take(), [
        { name: "submitted" },
        { name: "deferred", reason: "too early", runAt: later },
      ]);

      const held = await millrace.submit(asked, "hold");
      await kit.runUntilIdle();
      await millrace.release(held.id, { answer: true });
      await kit.finish(held);
      assert.partialDeepStrictEqual(take(), [
        { name: "submitted" },
        { name: "held", reason: "needs a look" },
        { name: "released" },
      ]);

      const [one, two, three] = await millrace.submitMany(asked, ["x", "y", "z"], { delayMs: 1_000 });
      await one?.cancel("Not needed.");
      await millrace.cancelMany([two?.id ?? "", three?.id ?? ""]);
      const revived = await millrace.revive(one?.id ?? "");
      await kit.finish(revived);
      assert.partialDeepStrictEqual(take(), [
        ...[1, 2, 3].map(() => ({ name: "submitted" })),
        { name: "submitted", retryOf: one?.id },
        { name: "cancelled", reason: "Not needed." },
        { name: "cancelled", reason: "Cancelled by request." },
        { name: "cancelled", reason: "Cancelled by request." },
      ]);

      await millrace.schedules.put(asked, { name: "hourly", cron: "0 * * * *", payload: "tick" });
      await kit.advance(3_600_000);
      assert.deepEqual(
        heard.map(({ name, payload }) => `${name} ${payload}`),
        ["submitted tick"],
      );
    });
  });

  test("hear of a job that was not started in time as failed, without an attempt", async () => {
    await withKit({ kinds: [double], work: false }, async (kit) => {
      const heard = hearAll(kit.millrace);
      const job = await kit.millrace.submit(double, 1, { expiresInMs: 1_000 });
      await kit.advance(2_000);
      await until("the end is heard", () => heard.length === 2);
      assert.deepEqual(heard[1], {
        name: "failed",
        jobId: job.id,
        kind: "double",
        stage: "running",
        tenant: "default",
        tags: [],
        traceId: undefined,
        payload: 1,
        at: new Date(kit.clock.now()),
        isLocal: true,
        attempt: 0,
        failure: (await job.view())?.failure,
        isDeadLetter: true,
      });
    });
  });

  test("hear of one kind only if one is given, and no more after the end of their subscription", async () => {
    const other = defineKind({ name: "other", payload: z.number(), run: (_ctx, n) => n });
    await withKit({ kinds: [double, other] }, async (kit) => {
      const results: number[] = [];
      const named: string[] = [];
      const ending = new AbortController();
      const off = kit.millrace.on("completed", (event) => results.push(event.result), { kind: double });
      const on = { kind: "other", signal: ending.signal };
      kit.millrace.on("completed", ({ kind }) => named.push(kind), on);
      await kit.run(double, 4);
      await kit.run(other, 4);
      assert.deepEqual([results, named], [[8], ["other"]]);
      off();
      off();
      ending.abort();
      await kit.run(double, 5);
      await kit.run(other, 5);
      const aborted = kit.millrace.on("completed", () => results.push(0), { signal: ending.signal });
      await kit.run(double, 6);
      aborted();
      assert.deepEqual([results, named], [[8], ["other"]]);
    });
  });

  test("that throw or reject are logged, and neither the job nor another hook notices", async () => {
    const errors: Record<string, unknown>[] = [];
    const ignore = () => {};
    const error = (event: string, fields: object = {}) => errors.push({ event, ...fields });
    await withKit({ kinds: [double], log: { debug: ignore, info: ignore, warn: ignore, error } }, async (kit) => {
      const { millrace } = kit;
      let called = 0;
      millrace.on("completed", () => {
        throw new Error("thrown by a hook");
      });
      millrace.on("completed", async () => Promise.reject(new Error("rejected by a hook")));
      millrace.on("completed", () => called++);
      const job = await millrace.submit(double, 1);
      assert.equal(await kit.finish(job), 2);
      assert.equal(called, 1);
      const about = { event: "hook failed", hook: "completed", jobId: job.id, kind: "double", tenantId: "default" };
      assert.deepEqual(errors, [
        { ...about, error: "thrown by a hook" },
        { ...about, error: "rejected by a hook" },
      ]);
    });
  });

  test("run in the async context of their subscription, not in that of a processor", async () => {
    const storage = new AsyncLocalStorage<string>();
    const inside = defineKind({
      name: "inside",
      payload: z.null(),
      use: [(_ctx, next) => storage.run("processor", next)],
      run: () => null,
    });
    await withKit({ kinds: [inside] }, async (kit) => {
      const seen: unknown[] = [];
      const look = () => seen.push(storage.getStore());
      kit.millrace.on("completed", look);
      storage.run("subscriber", () => kit.millrace.on("completed", look));
      await kit.run(inside, null);
      assert.deepEqual(seen, [undefined, "subscriber"]);
    });
  });

  test("are refused with a sentence when they are mistyped", async () => {
    await withKit({ kinds: [double] }, async ({ millrace }) => {
      const on = millrace.on.bind(millrace) as (...args: unknown[]) => void;
      const code = "invalid-request";
      assert.throws(() => on("complete", () => {}), {
        code,
        message: 'Unknown event "complete". Did you mean "completed"?',
      });
      assert.throws(() => on("failed"), { code, message: 'on("failed") needs a function.' });
      assert.throws(() => on("failed", () => {}, { everwhere: true }), { code, message: /everwhere.*everywhere/ });
      assert.throws(() => on("failed", () => {}, { everywhere: 1 }), {
        code,
        message: /everywhere must be true or false/,
      });
      assert.throws(() => on("failed", () => {}, { kind: 5 }), { code, message: /kind must be a kind/ });
      assert.throws(() => on("failed", () => {}, { signal: {} }), { code, message: /signal must be an AbortSignal/ });
    });
  });

  test("are called for all that happened before stop() resolves, and are waited for a second", async () => {
    const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [double], log: false });
    const heard: string[] = [];
    const { promise: never } = Promise.withResolvers<void>();
    millrace.on("completed", async ({ result }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      heard.push(`${result}`);
    });
    millrace.on("completed", () => never);
    await (await millrace.submit(double, 3)).wait();
    await millrace.stop();
    assert.deepEqual(heard, ["6"]);
  });
});

interface Heard extends Record<string, unknown> {
  name: string;
}

function hearAll(millrace: Millrace, names = JOB_EVENT_NAMES as JobEventName[]): Heard[] {
  const heard: Heard[] = [];
  for (const name of names) millrace.on(name, (event) => heard.push({ name, ...event }));
  return heard;
}

async function withKit(options: TestkitOptions, body: (kit: Testkit) => Promise<void>): Promise<void> {
  const kit = await Testkit.open(options);
  try {
    await body(kit);
  } finally {
    await kit.stop();
  }
}
