// runtimes: bun or node
// Jobs that start other jobs: results, failures, cancellation, races, and what a crash leaves.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { ChildFailed, defineKind, JobFailure, type Millrace } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import { gate, untilState, withEngine } from "../support/engine.ts";

const WAIT = { timeoutMs: scaled(20_000) };

const square = defineKind({
  name: "square",
  payload: z.object({ n: z.number() }),
  run: async (_ctx, { n }) => {
    if (n < 0) throw new JobFailure(`${n} is negative.`, { code: "negative", permanent: true });
    return { squared: n * n };
  },
});

function waitsForChildren(millrace: Millrace, jobId: string): Promise<unknown> {
  return until("the job waits for its children", async () =>
    (await millrace.waits(jobId)).some(({ type, state }) => type === "children" && state === "open"),
  );
}

describe("a parent", () => {
  test("fans out, waits without a processor and gets the results in order", async () => {
    const sum = defineKind({
      name: "sum",
      payload: z.object({ upTo: z.number() }),
      run: async (ctx, { upTo }) => {
        const numbers = Array.from({ length: upTo }, (_, n) => ({ n }));
        const squares = await ctx.runChildren("squares", square, numbers, { key: ({ n }) => String(n) });
        const one = await ctx.runChild("one more", square, { n: 10 });
        return squares.reduce((total, { squared }) => total + squared, one.squared);
      },
    });
    await withEngine({ kinds: [sum, square], processors: 1 }, async ({ millrace }) => {
      const job = await millrace.submit(sum, { upTo: 50 });
      assert.equal(await job.wait(WAIT), 40_425 + 100);
      assert.equal(await millrace.count({ kind: "square" }), 51);
    });
  });

  test("gets a failure of a child as ChildFailed, or collects it, or fails with it", async () => {
    const kinds = z.enum(["catch", "collect", "none", "counts"]);
    const parent = defineKind({
      name: "parent",
      payload: kinds,
      run: async (ctx, how) => {
        const payloads = [{ n: 1 }, { n: -1 }];
        const key = ({ n }: { n: number }) => `n${n}`;
        if (how === "collect") {
          const ends = await ctx.runChildren("all", square, payloads, { key, ifChildFails: "collect" });
          return ends.map((end) => (end.ok ? String(end.result.squared) : end.failure.code));
        }
        if (how === "counts") {
          const counts = await ctx.runChildren("all", square, payloads, {
            key,
            ifChildFails: "collect",
            results: false,
          });
          return [counts.jobIds.length, counts.completed, counts.failed].map(String);
        }
        if (how === "none") return [String((await ctx.runChild("bad", square, { n: -1 })).squared)];
        try {
          await ctx.runChildren("all", square, payloads, { key });
          return ["no failure"];
        } catch (error) {
          if (!(error instanceof ChildFailed)) throw error;
          return [error.failure.code, error.code];
        }
      },
    });
    await withEngine({ kinds: [parent, square] }, async ({ millrace }) => {
      const run = async (how: z.infer<typeof kinds>) => (await millrace.submit(parent, how)).wait(WAIT);
      assert.deepEqual(await run("catch"), ["negative", "child-failed"]);
      assert.deepEqual(await run("collect"), ["1", "negative"]);
      assert.deepEqual(await run("counts"), ["2", "1", "1"]);
      await assert.rejects(run("none"), { code: "child-failed", message: /-1 is negative/ });
    });
  });

  test("takes its children along when it is cancelled, but not a job that it only submitted", async () => {
    const started = gate();
    let aborted = 0;
    const slow = defineKind({
      name: "slow",
      payload: z.string(),
      run: (ctx) =>
        new Promise<null>((_, reject) => {
          started.open();
          ctx.signal.addEventListener("abort", () => {
            aborted++;
            reject(ctx.signal.reason as Error);
          });
        }),
    });
    const parent = defineKind({
      name: "parent",
      payload: z.null(),
      run: async (ctx) => {
        await ctx.submit("report", square, { n: 3 }, { tags: ["report"] });
        return ctx.runChildren("slow", slow, ["a", "b"]);
      },
    });
    await withEngine({ kinds: [parent, slow, square] }, async ({ millrace }) => {
      const job = await millrace.submit(parent, null);
      await started.opened;
      await waitsForChildren(millrace, job.id);
      await job.cancel("Not needed.");
      const isCancelled = async () => (await millrace.count({ kind: "slow", status: "cancelled" })) === 2;
      await until("both children are cancelled", isCancelled);
      await until("their processors were told", async () => aborted >= 1);
      const [report] = await millrace.list({ tag: "report" });
      await untilState(millrace, report?.jobId ?? "", "completed");
    });
  });

  test("races a child against the clock: the one that loses is cancelled", async () => {
    const never = defineKind({
      name: "never",
      payload: z.null(),
      run: async (ctx) => {
        await ctx.waitForSignal("go");
        return "went";
      },
    });
    const parent = defineKind({
      name: "parent",
      payload: z.object({ limitMs: z.number() }),
      run: async (ctx, { limitMs }) => {
        const { winner, value } = await ctx.race("first", {
          child: ctx.runChild("never", never, null),
          late: ctx.sleep("limit", limitMs),
        });
        return { winner, value: value ?? null };
      },
    });
    await withEngine({ kinds: [parent, never] }, async ({ millrace }) => {
      const late = await millrace.submit(parent, { limitMs: 5 });
      assert.deepEqual(await late.wait(WAIT), { winner: "late", value: null });
      await until("the child is cancelled", async () => (await millrace.count({ status: "cancelled" })) === 1);
      const early = await millrace.submit(parent, { limitMs: 3_600_000 });
      await waitsForChildren(millrace, early.id);
      const [child] = await millrace.list({ kind: "never" });
      await millrace.signal(never, child?.jobId ?? "", "go");
      assert.deepEqual(await early.wait(WAIT), { winner: "child", value: "went" });
    });
  });

  test("submits none of them twice when its stage runs again, and goes on in another process", async () => {
    let runs = 0;
    const parent = defineKind({
      name: "parent",
      payload: z.null(),
      run: async (ctx) => {
        runs++;
        const first = await ctx.runChildren("first", square, [{ n: 1 }, { n: 2 }], { key: ({ n }) => String(n) });
        if (runs < 4) throw new Error("Again.");
        const second = await ctx.runChildren("second", square, [{ n: 3 }], { key: ({ n }) => String(n) });
        return [...first, ...second].map(({ squared }) => squared);
      },
    });
    await withEngine({ kinds: [parent, square] }, async ({ millrace, another }) => {
      const job = await millrace.submit(parent, null);
      await another();
      assert.deepEqual(await job.wait(WAIT), [1, 4, 9]);
      assert.equal(await millrace.count({ kind: "square" }), 3);
    });
  });

  test("revived after a child failed revives the child and goes on", async () => {
    let isBroken = true;
    const flaky = defineKind({
      name: "flaky",
      payload: z.string(),
      maxAttempts: 1,
      run: async (_ctx, name) => {
        if (isBroken && name === "b") throw new Error("Broken.");
        return name;
      },
    });
    const parent = defineKind({
      name: "parent",
      payload: z.null(),
      run: (ctx) => ctx.runChildren("parts", flaky, ["a", "b"]),
    });
    await withEngine({ kinds: [parent, flaky] }, async ({ millrace }) => {
      const job = await millrace.submit(parent, null);
      await assert.rejects(job.wait(WAIT), { code: "child-failed" });
      isBroken = false;
      const revived = await millrace.revive(job.id);
      assert.deepEqual(await revived.wait(WAIT), ["a", "b"]);
    });
  });

  test("is told what is wrong with a call", async () => {
    const parent = defineKind({
      name: "parent",
      payload: z.enum(["same keys", "no key", "payload", "options"]),
      maxAttempts: 1,
      run: async (ctx, what): Promise<unknown> => {
        if (what === "same keys") return ctx.runChildren("a", square, [{ n: 1 }, { n: 2 }], { key: () => "k" });
        if (what === "no key") return ctx.runChildren("a", square, [{ n: 1 }], {} as never);
        if (what === "payload") return ctx.runChild("a", square, { n: "one" } as never);
        return ctx.runChild("a", square, { n: 1 }, { tenant: "other" } as never);
      },
    });
    await withEngine({ kinds: [parent, square] }, async ({ millrace }) => {
      const run = async (what: "same keys" | "no key" | "payload" | "options") =>
        (await millrace.submit(parent, what)).wait(WAIT);
      await assert.rejects(run("same keys"), /have the key "k"/);
      await assert.rejects(run("no key"), /key of payload 0 .* must be a string/);
      await assert.rejects(run("payload"), /payload does not fit the kind "square"/);
      await assert.rejects(run("options"), /Unknown option "tenant"/);
      assert.equal(await millrace.count({ kind: "square" }), 0);
    });
  });
});
