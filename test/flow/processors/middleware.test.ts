// runtimes: bun, node or node22

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, JobFailure, type Middleware, work } from "../../../packages/millrace/src/index.ts";
import { Testkit, type TestkitOptions } from "../../../packages/millrace/src/testing.ts";

describe("middleware", () => {
  test("runs outermost first: the engine's, the kind's, the stage's, then the processor", async () => {
    const said: string[] = [];
    const says = (word: string): Middleware => {
      return async (ctx, next) => {
        said.push(`${word} ${ctx.stage}`);
        const result = await next();
        said.push(`${word} saw ${JSON.stringify(result)}`);
      };
    };
    const kind = defineKind({ name: "staged", payload: z.number(), use: [says("kind")] })
      .stage("double", { use: [says("stage"), says("inner")], run: (_ctx, n) => n * 2 })
      .stage("word", { run: (_ctx, n) => `${n}` });
    await withKit({ kinds: [kind], use: [says("engine")] }, async (kit) => {
      assert.equal(await kit.run(kind, 4), "8", "what a middleware returns is not the result");
    });
    assert.deepEqual(said, [
      ...["engine double", "kind double", "stage double", "inner double"],
      ...["inner saw 8", "stage saw 8", "kind saw 8", "engine saw 8"],
      ...["engine word", "kind word", 'kind saw "8"', 'engine saw "8"'],
    ]);
  });

  test("carries an async context into the processor and its steps", async () => {
    const storage = new AsyncLocalStorage<{ jobId: string }>();
    const kind = defineKind({
      name: "traced",
      payload: z.null(),
      use: [(ctx, next) => storage.run({ jobId: ctx.jobId }, next)],
      run: async (ctx) => {
        const inStep = await ctx.step("look", () => storage.getStore()?.jobId);
        return [ctx.jobId, inStep, storage.getStore()?.jobId];
      },
    });
    await withKit({ kinds: [kind] }, async (kit) => {
      const [jobId, ...seen] = await kit.run(kind, null);
      assert.deepEqual(seen, [jobId, jobId]);
    });
  });

  test("of a contract's work wraps its stages", async () => {
    const contract = defineKind({ name: "contract", payload: z.number(), result: z.number() });
    let calls = 0;
    const counted: Middleware<number> = async (ctx, next) => {
      calls += ctx.payload;
      await next();
    };
    const kind = work(contract, { use: [counted] }).stage("half", { run: (_ctx, n) => n / 2 });
    await withKit({ kinds: [kind] }, async (kit) => {
      assert.equal(await kit.run(kind, 8), 4);
      assert.equal(calls, 8);
    });
  });

  test("may refuse a job before the processor, or put it off", async () => {
    let ran = 0;
    let isOpen = false;
    const kind = defineKind({
      name: "gated",
      payload: z.string(),
      maxAttempts: 1,
      use: [
        async (ctx, next) => {
          if (ctx.payload === "evil") throw new JobFailure("Not for you.", { code: "refused", permanent: true });
          if (!isOpen) {
            isOpen = true;
            ctx.defer({ delayMs: 60_000 }, "closed for repairs");
          }
          return next();
        },
      ],
      run: () => ++ran,
    });
    await withKit({ kinds: [kind] }, async (kit) => {
      await assert.rejects(kit.run(kind, "evil"), { code: "refused" });
      assert.equal(await kit.run(kind, "good"), 1, "after the minute");
    });
  });

  test("may turn the processor's error into another, and cannot make it vanish", async () => {
    const fails = (name: string, use: Middleware) =>
      defineKind({
        name,
        payload: z.null(),
        maxAttempts: 1,
        use: [use],
        run: () => {
          throw new Error("the processor's own");
        },
      });
    const translated = fails("translated", async (_ctx, next) => {
      await next().catch((cause) => {
        throw new JobFailure("Translated.", { code: "translated", cause });
      });
    });
    const swallowed = fails("swallowed", async (_ctx, next) => {
      await next().catch(() => "all is well");
    });
    await withKit({ kinds: [translated, swallowed] }, async (kit) => {
      await assert.rejects(kit.run(translated, null), { code: "translated", message: /Translated/ });
      await assert.rejects(kit.run(swallowed, null), { message: /the processor's own/ });
    });
  });

  test("lets ctx.defer, ctx.hold and ctx.limit through, whatever it makes of errors", async () => {
    const outcomes = async (use: Middleware) => {
      const kind = defineKind({
        name: "yields",
        payload: z.enum(["defer", "hold", "limit"]),
        maxAttempts: 1,
        use: [use],
        run: async (ctx, how) => {
          if (how === "hold") ctx.hold("needs review");
          if (how === "limit") for (;;) await ctx.limit("scarce");
          return ctx.defer({ delayMs: 3_600_000 });
        },
      });
      const found: unknown[] = [];
      await withKit({ kinds: [kind], limiters: { scarce: { count: 1, perMs: 3_600_000 } } }, async (kit) => {
        for (const how of ["defer", "hold", "limit"] as const) {
          const job = await kit.millrace.submit(kind, how);
          await kit.runUntilIdle();
          const [attempt] = await kit.millrace.attempts(job.id);
          found.push([(await job.view())?.state, attempt?.outcome]);
        }
      });
      return found;
    };
    const kept = ["pending", "deferred"];
    const expected = [kept, ["pending", "held"], kept];
    assert.deepEqual(await outcomes((_ctx, next) => next().catch(() => null)), expected, "swallowed");
    const wraps: Middleware = (_ctx, next) => next().catch(() => Promise.reject(new Error("wrapped")));
    assert.deepEqual(await outcomes(wraps), expected, "wrapped without a cause");
  });

  test("that calls next() twice, or not at all, fails the job with a sentence and without a retry", async () => {
    let ran = 0;
    const kind = (name: string, use: Middleware) =>
      defineKind({ name, payload: z.null(), use: [use], run: () => ++ran });
    const twice = kind("twice", async function again(_ctx, next) {
      await next();
      await next().catch(() => {});
    });
    const never = kind("never", async () => "cached");
    await withKit({ kinds: [twice, never] }, async (kit) => {
      await assert.rejects(kit.run(twice, null), {
        code: "middleware-misused",
        message: /The middleware "again" called next\(\) twice, or after it had returned\./,
      });
      assert.equal(ran, 1);
      await assert.rejects(kit.run(never, null), {
        code: "middleware-misused",
        message: /The middleware number 1 returned without calling next\(\), so the processor did not run\./,
      });
      assert.equal(ran, 1);
    });
  });

  test("that does not wait for next() ends the attempt no earlier than the processor, and is told so", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const kind = defineKind({
      name: "hasty",
      payload: z.null(),
      use: [
        async (_ctx, next) => {
          void next();
          setImmediate(resolve);
        },
      ],
      run: async () => {
        await promise;
        throw new JobFailure("Late.", { code: "late", permanent: true });
      },
    });
    await withKit({ kinds: [kind] }, async (kit) => {
      const job = await kit.millrace.submit(kind, null);
      await assert.rejects(kit.finish(job), { code: "late" });
      const [line] = await kit.millrace.logs(job.id);
      assert.match(line?.message ?? "", /returned before next\(\) had ended\. Add an await\./);
    });
  });

  test("must be an array of functions, wherever it is given", async () => {
    const use = [() => {}, "log"] as unknown as Middleware[];
    const run = () => null;
    const wrong = { code: "kind-invalid", message: /must be an array of functions/ };
    assert.throws(() => defineKind({ name: "wrong", payload: z.null(), use, run }), wrong);
    assert.throws(() => defineKind({ name: "wrong", payload: z.null() }).stage("one", { use, run }), wrong);
    const contract = defineKind({ name: "contract", payload: z.null(), result: z.null() });
    assert.throws(() => work(contract, { use }), wrong);
    await assert.rejects(Testkit.open({ use }), {
      code: "options-invalid",
      message: "use must be an array of functions.",
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
