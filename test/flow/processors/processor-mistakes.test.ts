// What a processor may do wrong with `ctx`, and what is said about it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { type Context, defineKind, type JobFailure } from "../../../packages/millrace/src/index.ts";
import { Testkit } from "../../../packages/millrace/src/testing.ts";

async function ends(run: (ctx: Context<null>) => unknown): Promise<{ kit: Testkit; jobId: string; error?: Error }> {
  const kind = defineKind({ name: "wrong", payload: z.null(), maxAttempts: 1, run });
  const kit = await Testkit.open({ kinds: [kind] });
  const job = await kit.millrace.submit(kind, null);
  try {
    await kit.finish(job);
    return { kit, jobId: job.id };
  } catch (error) {
    return { kit, jobId: job.id, error: error as Error };
  }
}

describe("a processor", () => {
  test("that catches a deferral and goes on fails with a sentence, instead of completing", async () => {
    const { kit, error } = await ends((ctx) => {
      try {
        return ctx.defer({ delayMs: 1_000 });
      } catch {
        return "went on";
      }
    });
    await kit.stop();
    assert.equal((error as JobFailure).code, "defer-caught");
    assert.match(error?.message ?? "", /called ctx\.defer\(\) and caught what it throws.*Rethrow errors/);
  });

  test("that wraps a deferral in an error of its own is deferred", async () => {
    let turns = 0;
    const { kit, error } = await ends((ctx) => {
      if (++turns > 1) return "back";
      try {
        return ctx.defer({ delayMs: 1_000 });
      } catch (cause) {
        throw new Error("It went wrong.", { cause });
      }
    });
    await kit.stop();
    assert.equal(error, undefined);
    assert.equal(turns, 2);
  });

  test("that does not await a step completes after the step, and its log says so", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { kit, jobId, error } = await ends((ctx) => {
      void ctx.step("mail", () => promise);
      setImmediate(() => resolve("sent"));
      return "done";
    });
    assert.equal(error, undefined);
    assert.deepEqual(
      (await kit.millrace.steps(jobId)).map(({ name, value }) => [name, value]),
      [["mail", '"sent"']],
    );
    assert.match(
      (await kit.millrace.logs(jobId))[0]?.message ?? "",
      /before ctx\.step\("mail"\) had ended\. Add an await/,
    );
    await kit.stop();
  });

  test("whose forgotten step throws fails with what it threw", async () => {
    const { kit, error } = await ends((ctx) => {
      void ctx.step("mail", async () => {
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error("no such mailbox");
      });
      return "done";
    });
    await kit.stop();
    assert.equal(error?.message, "no such mailbox");
  });

  for (const [what, run, said] of [
    ["a step without a name", (ctx) => ctx.step((() => 1) as never, undefined as never), /ctx\.step\(\) needs a name/],
    [
      "a step whose work is no function",
      (ctx) => ctx.step("a", 5 as never),
      /ctx\.step\(\) needs a name and a function/,
    ],
    ["a hold without a reason", (ctx) => ctx.hold(undefined as never), /ctx\.hold\(\) needs a reason/],
    ["a hold with an empty reason", (ctx) => ctx.hold(" "), /ctx\.hold\(\) needs a reason/],
    ["a hold with a mistyped option", (ctx) => ctx.hold("x", { timeout: 5 } as never), /Did you mean "timeoutMs"\?/],
    ["a hold with a time that is none", (ctx) => ctx.hold("x", { timeoutMs: -1 }), /timeoutMs must be a whole number/],
    ["a deferral without a time", (ctx) => ctx.defer(undefined as never), /ctx\.defer\(\) needs \{ delayMs \}/],
    ["nothing thrown", () => Promise.reject(undefined), /The processor threw undefined, which has no message/],
  ] as [string, (ctx: Context<null>) => unknown, RegExp][]) {
    test(`that fails by ${what} is told so`, async () => {
      const { kit, error } = await ends(run);
      await kit.stop();
      assert.match(error?.message ?? "", said);
    });
  }

  test("may hold a job for a time: not released by then, it fails with hold-expired", async () => {
    const kind = defineKind({
      name: "approval",
      payload: z.null(),
      run: (ctx) => ctx.hold("needs approval", { timeoutMs: 60_000 }),
    });
    const kit = await Testkit.open({ kinds: [kind] });
    const job = await kit.millrace.submit(kind, null);
    await kit.runUntilIdle();
    const view = await job.view();
    assert.equal(view?.heldUntil, new Date(kit.clock.now() + 60_000).toISOString());
    await kit.advance(60_000);
    await assert.rejects(job.wait({ timeoutMs: 1_000 }), { code: "hold-expired" });
    await kit.stop();
  });
});
