// runtimes: bun, node or node22

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, JobFailure } from "./index.ts";
import { Testkit, type TestkitOptions } from "./testing.ts";

const DAY_MS = 86_400_000;
const double = defineKind({ name: "double", payload: z.number(), run: (_ctx, n) => n * 2 });

describe("the test kit", () => {
  test("submits and gives the result in one line", async () => {
    await withKit({ kinds: [double] }, async (kit) => {
      assert.equal(await kit.run(double, 21), 42);
    });
  });

  test("works through retries on its own clock, without waiting", async () => {
    const attempts: number[] = [];
    const flaky = defineKind({
      name: "flaky",
      payload: z.null(),
      run: (ctx) => {
        attempts.push(ctx.attempt);
        if (ctx.attempt < 3) throw new Error(`No. ${ctx.attempt}`);
        return "at last";
      },
    });
    await withKit({ kinds: [flaky], retryBaseMs: 3_600_000, retryMaxMs: 36_000_000 }, async (kit) => {
      const started = kit.clock.now();
      assert.equal(await kit.run(flaky, null), "at last");
      assert.deepEqual(attempts, [1, 2, 3]);
      assert.equal(kit.clock.now() - started, 1.5 * 3_600_000, "half an hour, then an hour: the jitter is 0.5");
    });
  });

  test("a job that fails for good throws what its processor said", async () => {
    const broken = defineKind({
      name: "broken",
      payload: z.null(),
      run: () => {
        throw new JobFailure("Line 3 is wrong.", { code: "syntax", permanent: true, line: 3 });
      },
    });
    await withKit({ kinds: [broken] }, async (kit) => {
      await assert.rejects(kit.run(broken, null), (error: unknown) => {
        assert.ok(error instanceof JobFailure);
        assert.equal(error.message, "Line 3 is wrong.");
        assert.deepEqual([error.options.code, error.options.line], ["syntax", 3]);
        return true;
      });
    });
  });

  test("a delay passes on the kit's clock", async () => {
    await withKit({ kinds: [double] }, async (kit) => {
      const started = kit.clock.now();
      assert.equal(await kit.run(double, 4, { delayMs: 86_400_000 }), 8);
      assert.equal(kit.clock.now() - started, 86_400_000);
    });
  });

  test("nothing runs before its time: advance moves it there", async () => {
    await withKit({ kinds: [double] }, async (kit) => {
      const job = await kit.millrace.submit(double, 1, { delayMs: 1_000 });
      await kit.advance(999);
      assert.equal((await job.view())?.status, "pending");
      await kit.advance(1);
      assert.equal((await job.view())?.result, 2);
    });
  });

  test("schedules fire as the clock passes their ticks, once each, one for those missed", async () => {
    await withKit({ kinds: [double], startAt: new Date("2026-01-01T00:00:30Z") }, async (kit) => {
      await kit.millrace.schedules.put(double, { name: "minutely", cron: "* * * * *", payload: 5 });
      await kit.advance(3 * 60_000);
      assert.equal((await kit.millrace.list()).length, 3, "one for each tick on the way");
      kit.clock.advance(1_800_000);
      await kit.advance(0);
      assert.equal((await kit.millrace.list({ sinceAt: kit.clock.now() })).length, 1, "nothing ran meanwhile");
    });
  });

  test("a schedule lets a tick pass while its last job is not finished, unless it allows overlap", async () => {
    const held = defineKind({ name: "held", payload: z.string(), run: (ctx) => ctx.hold("waits") });
    await withKit({ kinds: [held], startAt: new Date("2026-01-01T00:00:30Z") }, async (kit) => {
      await kit.millrace.schedules.put(held, { name: "a", cron: "* * * * *", payload: "skip" });
      await kit.millrace.schedules.put(held, { name: "b", cron: "* * * * *", payload: "allow", overlap: "allow" });
      for (let i = 0; i < 3; i++) await kit.advance(60_000);
      const payloads = (await kit.millrace.list()).map((job) => job.payload);
      assert.equal(payloads.filter((payload) => payload === "skip").length, 1);
      assert.equal(payloads.filter((payload) => payload === "allow").length, 3);
    });
  });

  test("missed ticks are skipped where the schedule says so, and a paused one does not fire", async () => {
    await withKit({ kinds: [double], startAt: new Date("2026-01-01T00:00:30Z") }, async (kit) => {
      await kit.millrace.schedules.put(double, { name: "a", cron: "0 * * * *", payload: 1, missed: "skip" });
      await kit.millrace.schedules.put(double, { name: "b", cron: "0 * * * *", payload: 2, missed: "once" });
      await kit.millrace.schedules.put(double, { name: "c", cron: "0 * * * *", payload: 3, paused: true });
      kit.clock.advance(5 * 3_600_000);
      await kit.advance(0);
      assert.deepEqual(
        (await kit.millrace.list()).map((job) => job.payload),
        [2],
      );
      const next = (await kit.millrace.schedules.list()).map(({ name, nextAt }) => `${name} ${nextAt.slice(11, 16)}`);
      assert.deepEqual(next, ["a 06:00", "b 06:00", "c 01:00"]);
    });
  });

  test("a processor that never comes back is named instead of waited for", async () => {
    const stuck = defineKind({ name: "stuck", payload: z.null(), run: () => new Promise<never>(() => {}) });
    await withKit({ kinds: [stuck], patienceMs: 50 }, async (kit) => {
      await assert.rejects(kit.run(stuck, null), { code: "kit-waits", message: /job_\w{8} in stuck\/running/ });
    });
  });

  test("a job that is put off for ever is given up", async () => {
    const later = defineKind({ name: "later", payload: z.null(), run: (ctx) => ctx.defer({ delayMs: 1_000 }) });
    await withKit({ kinds: [later] }, async (kit) => {
      await assert.rejects(kit.run(later, null), { code: "job-waits", message: /was deferred 1000 times/ });
    });
  });

  test("a processor that defers with no delay does not spin", async () => {
    let runs = 0;
    const eager = defineKind({
      name: "eager",
      payload: z.enum(["delay", "moment"]),
      run: (ctx, how) => {
        if (++runs > 1_000) throw new JobFailure("It spins.", { permanent: true });
        return ctx.defer(how === "delay" ? { delayMs: 0 } : { runAt: new Date(0) });
      },
    });
    await withKit({ kinds: [eager] }, async (kit) => {
      for (const how of ["delay", "moment"] as const) {
        runs = 0;
        const { id } = await kit.millrace.submit(eager, how);
        await kit.advance(1_000);
        assert.equal(runs, 1 + 1_000 / 50, "at once, then each 50 ms");
        await kit.millrace.cancel(id);
      }
    });
  });

  test("a held job says why it stays, and goes on when released", async () => {
    const review = defineKind({
      name: "review",
      payload: z.null(),
      run: async (ctx) => {
        const seen = await ctx.step("seen", () => "once");
        if ((await kitOf().millrace.logs(ctx.jobId)).length === 0) {
          ctx.log.info("asked");
          ctx.hold("waits for review");
        }
        return seen;
      },
    });
    let current: Testkit | undefined;
    const kitOf = () => current as Testkit;
    await withKit({ kinds: [review] }, async (kit) => {
      current = kit;
      const job = await kit.millrace.submit(review, null);
      await assert.rejects(kit.finish(job), { code: "job-waits", message: /it is held: waits for review/ });
      assert.equal((await job.view())?.heldFor, "waits for review");
      await kit.millrace.release(job.id);
      assert.equal(await kit.finish(job), "once");
      assert.equal((await job.view())?.attempt, 1);
    });
  });

  test("a held job finds the answers it was released with", async () => {
    const asks = defineKind({
      name: "asks",
      payload: z.null(),
      run: async (ctx) => {
        const answers = await ctx.answers<{ raise: number }>();
        const sum = answers.reduce((total, { raise }) => total + raise, 0);
        if (sum < 3) ctx.hold("needs budget");
        assert.equal(await ctx.stored("sum"), undefined);
        assert.equal(await ctx.step("sum", () => sum), sum);
        assert.equal(await ctx.stored("sum"), sum);
        await assert.rejects(
          ctx.step("released:1", () => 0),
          { code: "step-name-reserved" },
        );
        return sum;
      },
    });
    await withKit({ kinds: [asks] }, async (kit) => {
      const job = await kit.millrace.submit(asks, null);
      await assert.rejects(kit.finish(job), { code: "job-waits" });
      await kit.millrace.release(job.id, { answer: { raise: 1 } });
      await assert.rejects(kit.finish(job), { code: "job-waits" });
      await kit.millrace.release(job.id, { answer: { raise: 2 } });
      assert.equal(await kit.finish(job), 3);
    });
  });

  test("stages, steps, limiters and deferral work as in earnest", async () => {
    let calls = 0;
    const page = defineKind({ name: "page", payload: z.object({ url: z.string() }) })
      .stage("fetch", {
        run: async (ctx, { url }) => {
          const paid = await ctx.step("paid", () => ++calls);
          await ctx.limit("api", 1);
          if (ctx.attempt === 1) throw new Error("after the paid call");
          return { paid, url };
        },
      })
      .stage("judge", { run: (ctx, input) => `${ctx.payload.url} ${input.paid}` });
    await withKit({ kinds: [page], limiters: { api: { count: 1, perMs: 60_000 } } }, async (kit) => {
      assert.equal(await kit.run(page, { url: "x" }), "x 1");
      assert.equal(calls, 1);
      const [job] = await kit.millrace.list();
      const outcomes = (await kit.millrace.attempts(job?.jobId as string)).map(
        ({ stage, outcome }) => `${stage} ${outcome}`,
      );
      assert.deepEqual(outcomes, ["fetch failed", "fetch deferred", "fetch completed", "judge completed"]);
    });
  });

  test("retention passes on the kit's clock too", async () => {
    await withKit({ kinds: [double] }, async (kit) => {
      await kit.run(double, 1);
      await kit.advance(7 * DAY_MS - 60_000);
      assert.equal(await kit.millrace.count(), 1, "a finished job is kept for 7 days by default");
      await kit.advance(2 * 60_000);
      assert.equal(await kit.millrace.count(), 0);
    });
  });

  test("a dead letter is kept for 30 days by default", async () => {
    const fails = defineKind({
      name: "fails",
      payload: z.null(),
      run: () => {
        throw new JobFailure("It broke.", { permanent: true });
      },
    });
    await withKit({ kinds: [fails] }, async (kit) => {
      await assert.rejects(kit.run(fails, null), { message: "It broke." });
      await kit.advance(30 * DAY_MS - 60_000);
      assert.equal(await kit.millrace.count(), 1);
      await kit.advance(2 * 60_000);
      assert.equal(await kit.millrace.count(), 0);
    });
  });

  test("two kits share nothing", async () => {
    await withKit({ kinds: [double] }, async (a) => {
      await withKit({ kinds: [double] }, async (b) => {
        await a.run(double, 1);
        assert.equal(await b.millrace.count(), 0);
      });
    });
  });
});

async function withKit(options: TestkitOptions, body: (kit: Testkit) => Promise<void>): Promise<void> {
  const kit = await Testkit.open(options);
  try {
    await body(kit);
  } finally {
    await kit.stop();
  }
}

describe("waits in the kit", () => {
  const order = defineKind({
    name: "kit-order",
    payload: z.object({ id: z.number() }),
    signals: { paid: z.object({ amount: z.number() }) },
    run: async (ctx, { id }) => {
      await ctx.sleep("cool-off", { days: 3 });
      const paid = await ctx.waitForSignal("paid", { timeout: { days: 30 } });
      const shipped = await ctx.waitForEvent("shipped", { match: { id } });
      const decision = await ctx.waitForApproval("close", { title: "Close it?", choices: ["yes", "no"] });
      return { amount: paid?.amount ?? null, by: shipped?.["by"], closed: decision?.choice, who: decision?.by };
    },
  });

  test("signals, events and decisions are sent by the kit, and days pass in no time", async () => {
    const kit = await Testkit.open({ kinds: [order] });
    try {
      const job = await kit.millrace.submit(order, { id: 7 });
      await kit.advance(3 * 24 * 3_600_000);
      assert.deepEqual(
        (await job.view())?.waitsFor?.map(({ name }) => name),
        ["paid"],
      );
      await kit.signal(order, job, "paid", { amount: 10 });
      await assert.rejects(kit.finish(job), { code: "job-waits", message: /waits for event "shipped"/ });
      await kit.publish("shipped", { id: 8, by: "nobody" });
      await kit.publish("shipped", { id: 7, by: "ada" });
      await assert.rejects(kit.decide(job, "other", { choice: "yes", by: "bob" }), {
        code: "approval-not-found",
        message: /does not wait for the approval "other"/,
      });
      await kit.decide(job.id, "close", { choice: "yes", by: "bob" });
      assert.deepEqual(await kit.finish(job), { amount: 10, by: "ada", closed: "yes", who: "bob" });
    } finally {
      await kit.stop();
    }
  });

  test("a signal that never comes ends with its time limit, on the kit's clock", async () => {
    const kit = await Testkit.open({ kinds: [order] });
    try {
      const job = await kit.millrace.submit(order, { id: 1 });
      await kit.advance(34 * 24 * 3_600_000);
      assert.deepEqual(
        (await job.view())?.waitsFor?.map(({ type }) => type),
        ["event"],
      );
    } finally {
      await kit.stop();
    }
  });
});

describe("children and deadlines in the kit", () => {
  const child = defineKind({
    name: "kit-child",
    payload: z.number(),
    run: async (ctx, n) => {
      await ctx.sleep("nap", { days: 1 });
      return n * 2;
    },
  });
  const parent = defineKind({
    name: "kit-parent",
    payload: z.array(z.number()),
    run: async (ctx, numbers) => ctx.runChildren("all", child, numbers, { key: String }),
  });

  test("children run on the kit's clock, and their parent goes on with their results", async () => {
    await withKit({ kinds: [child, parent] }, async (kit) => {
      assert.deepEqual(await kit.run(parent, [1, 2, 3]), [2, 4, 6]);
    });
  });

  test("a job that waits past its deadline fails when the kit's clock gets there", async () => {
    const slow = defineKind({
      name: "kit-slow",
      payload: z.null(),
      deadlineMs: 2 * DAY_MS,
      run: (ctx) => ctx.waitForSignal("never"),
    });
    await withKit({ kinds: [slow] }, async (kit) => {
      const job = await kit.millrace.submit(slow, null);
      await kit.advance(2 * DAY_MS - 60_000);
      assert.equal((await job.view())?.state, "pending");
      await kit.advance(2 * 60_000);
      assert.deepEqual([(await job.view())?.state, (await job.view())?.failure?.code], ["failed", "deadline"]);
    });
  });
});
