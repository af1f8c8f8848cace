// runtimes: bun or node
// Undo handlers, through a real engine: in this process, in child processes, and over a restart.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, JobFailure, type Millrace, moduleOf } from "../../packages/millrace/src/index.ts";
import { scaled } from "../support/slowness.ts";
import { until } from "../support/until.ts";
import { gate, untilState, withEngine } from "./support/engine.ts";

const WAIT = { timeoutMs: scaled(20_000) };

async function undoing(millrace: Millrace, jobId: string): Promise<void> {
  await until("the job undoes its steps", async () => (await millrace.find(jobId))?.undoing);
}

describe("undo", () => {
  test("a job that fails runs its handlers in reverse order over all stages, with the stored values", async () => {
    const done: string[] = [];
    const order = defineKind({ name: "order", payload: z.object({ id: z.number() }) })
      .stage("charge", {
        undo: {
          refund: (ctx, receipt: { amount: number }, { key }) => {
            done.push(`refund ${receipt.amount} of ${ctx.payload.id} ${key.length}`);
          },
        },
        run: async (ctx, { id }) => {
          const receipt = await ctx.step("charge", () => ({ amount: id * 10 }), { undo: "refund" });
          await ctx.sleep("cool-off", 5);
          return receipt;
        },
      })
      .stage("ship", {
        maxAttempts: 2,
        undo: { unpack: (_ctx, boxes: number[]) => void done.push(`unpack ${boxes}`) },
        run: async (ctx) => {
          await ctx.step("pack one", () => [1], { undo: "unpack" });
          await ctx.step("pack two", () => [2], { undo: "unpack" });
          await ctx.step("plain", () => 3);
          throw new Error("The van is broken.");
        },
      });
    await withEngine({ kinds: [order] }, async ({ millrace }) => {
      const failed: string[] = [];
      millrace.on("failed", ({ failure }) => void failed.push(failure.message));
      const job = await millrace.submit(order, { id: 7 });
      await assert.rejects(job.wait(WAIT), /The van is broken/);
      assert.deepEqual(done, ["unpack 2", "unpack 1", "refund 70 of 7 40"]);
      const view = await untilState(millrace, job.id, "failed");
      assert.deepEqual([view.stage, view.error, view.undoing], ["ship", "The van is broken.", undefined]);
      const names = (await millrace.steps(job.id)).map(({ name }) => name);
      assert.deepEqual(names.filter((name) => name.startsWith("undo:")).sort(), [
        "undo:charge",
        "undo:pack one",
        "undo:pack two",
      ]);
      await until("the hook heard of it once", () => failed.length === 1);
      await assert.rejects(millrace.revive(job.id), { code: "conflict" });
    });
  });

  test("a child that completed is undone with its result, and mistakes about it are said", async () => {
    const done: unknown[] = [];
    const book = defineKind({ name: "book", payload: z.string(), run: async (_ctx, what) => ({ booked: what }) });
    const trip = defineKind({ name: "trip", payload: z.enum(["fail", "unknown", "twice"]) }).stage("plan", {
      maxAttempts: 1,
      undo: { unbook: (_ctx, { booked }: { booked: string }) => void done.push(booked) },
      run: async (ctx, how) => {
        const options = { undo: (how === "unknown" ? "unpack" : "unbook") as "unbook" };
        await ctx.runChild("train", book, "train", options);
        if (how === "twice") await ctx.step("train", () => ({ booked: "again" }), options);
        await ctx.runChildren("hotels", book, ["one", "two"], { undo: "unbook" });
        throw new JobFailure("It rains.", { permanent: true });
      },
    });
    await withEngine({ kinds: [book, trip] }, async ({ millrace }) => {
      const ends = async (how: "fail" | "unknown" | "twice", sentence: RegExp) =>
        assert.rejects((await millrace.submit(trip, how)).wait(WAIT), sentence);
      await ends("fail", /It rains/);
      assert.deepEqual(done.splice(0), ["two", "one", "train"]);
      await ends("unknown", /no undo handler "unpack"/);
      assert.deepEqual(done.splice(0), []);
      await ends("twice", /Two undos of the stage "plan" have the name "train"/);
      assert.deepEqual(done, ["train"]);
    });
  });

  test("cancelling lets the step under way finish, is answered with undoing, and ends as cancelled", async () => {
    const [charging, charge] = [gate(), gate()];
    const done: string[] = [];
    let aborted: unknown;
    const order = defineKind({
      name: "order",
      payload: z.null(),
      undo: { refund: (_ctx, receipt: string) => void done.push(`refund ${receipt}`) },
      run: async (ctx) => {
        ctx.signal.addEventListener("abort", () => {
          aborted = ctx.signal.reason;
        });
        await ctx.step(
          "charge",
          async () => {
            charging.open();
            await charge.opened;
            return "paid";
          },
          { undo: "refund" },
        );
        await ctx.step("next", () => done.push("next"));
        return "done";
      },
    });
    await withEngine({ kinds: [order] }, async ({ millrace, another }) => {
      const heard: string[] = [];
      millrace.on("cancelled", ({ reason }) => void heard.push(reason));
      const job = await millrace.submit(order, null);
      await charging.opened;
      const other = await another({ work: false });
      await other.cancel(job.id, "Changed my mind.");
      const view = await other.find(job.id);
      assert.deepEqual([view?.state, view?.undoing], ["running", { because: "cancelled" }]);
      assert.equal(aborted, undefined, "the step is not disturbed");
      charge.open();
      await untilState(millrace, job.id, "cancelled");
      assert.deepEqual(done, ["refund paid"]);
      assert.equal((aborted as unknown as Error).name, "LeaseLost");
      await until("the hook heard of it once", () => heard.length === 1);
      assert.deepEqual(heard, ["Changed my mind."]);
    });
  });

  test("a step under way that outlasts the time limit is given up, and the rest is undone", async () => {
    const charging = gate();
    const done: string[] = [];
    const order = defineKind({
      name: "order",
      payload: z.null(),
      timeoutMs: 300,
      undo: { refund: (_ctx, receipt: string) => void done.push(`refund ${receipt}`) },
      run: async (ctx) => {
        await ctx.step("charge", () => "paid", { undo: "refund" });
        await ctx.step("hangs", () => {
          charging.open();
          return new Promise<void>(() => {});
        });
      },
    });
    await withEngine({ kinds: [order] }, async ({ millrace }) => {
      const job = await millrace.submit(order, null);
      await charging.opened;
      await millrace.cancel(job.id);
      await untilState(millrace, job.id, "cancelled");
      assert.deepEqual(done, ["refund paid"]);
    });
  });

  test("a job that waits is undone at once when it is cancelled", async () => {
    const done: string[] = [];
    const order = defineKind({
      name: "order",
      payload: z.null(),
      undo: { refund: (_ctx, receipt: string) => void done.push(`refund ${receipt}`) },
      run: async (ctx) => {
        await ctx.step("charge", () => "paid", { undo: "refund" });
        await ctx.waitForSignal("go");
      },
    });
    await withEngine({ kinds: [order] }, async ({ millrace }) => {
      const job = await millrace.submit(order, null);
      await until("it waits", async () => (await millrace.find(job.id))?.waitsFor);
      await millrace.cancel(job.id);
      await untilState(millrace, job.id, "cancelled");
      assert.deepEqual(done, ["refund paid"]);
    });
  });

  test("a handler is retried, one that is gone makes a dead letter, and a new deployment goes on with the rest", async () => {
    const done: string[] = [];
    let fails = 1;
    const kinds = (handlers: { refund?: boolean }) => {
      const refund = (_ctx: unknown, receipt: string) => void done.push(`refund ${receipt}`);
      const unpack = (_ctx: unknown, box: number) => {
        if (fails-- > 0) throw new Error("Not now.");
        done.push(`unpack ${box}`);
      };
      return defineKind({
        name: "order",
        payload: z.null(),
        undo: handlers.refund ? { unpack, refund } : ({ unpack } as { unpack: typeof unpack; refund: typeof refund }),
        run: async (ctx) => {
          await ctx.step("charge", () => "paid", { undo: "refund" });
          await ctx.step("pack", () => 1, { undo: "unpack" });
          await ctx.waitForSignal("go");
        },
      });
    };
    await withEngine({ kinds: [kinds({ refund: true })] }, async ({ millrace, another }) => {
      const job = await millrace.submit(kinds({ refund: true }), null);
      await until("it waits", async () => (await millrace.find(job.id))?.waitsFor);
      await millrace.stop({ hurry: true });
      const broken = await another({ kinds: [kinds({})] });
      await broken.signal("order", job.id, "go");
      const dead = await untilState(broken, job.id, "failed");
      assert.deepEqual(done, ["unpack 1"], "the handler that failed once was retried");
      assert.equal(dead.failure?.code, "undo-failed");
      assert.match(dead.error ?? "", /^The undo "refund" of "charge" failed: .*has no undo handler "refund"/);
      await broken.stop({ hurry: true });
      const mended = await another({ kinds: [kinds({ refund: true })] });
      const revived = await mended.revive(job.id);
      await undoing(mended, revived.id).catch(() => {});
      const ended = await untilState(mended, revived.id, "failed");
      assert.deepEqual(done, ["unpack 1", "refund paid"]);
      assert.deepEqual(
        [ended.failure?.code, ended.error],
        ["invalid-request", 'The stage "running" has no undo handler "refund".'],
        "it ends as the first job would have",
      );
    });
  });

  test("an isolated module exports its handlers", async () => {
    const isolated = defineKind({ name: "isolated", payload: z.object({ fails: z.boolean() }) }).stage("work", {
      isolation: "process",
      maxAttempts: 1,
      module: moduleOf<typeof import("./modules/undo.ts")>(new URL("./modules/undo.ts", import.meta.url)),
    });
    await withEngine({ kinds: [isolated] }, async ({ millrace }) => {
      const job = await millrace.submit(isolated, { fails: true });
      await assert.rejects(job.wait(WAIT), /No stock/);
      const undone = (await millrace.steps(job.id)).find(({ name }) => name === "undo:charge");
      assert.equal(undone?.value, '"refunded receipt"');
      const slow = await millrace.submit(isolated, { fails: false });
      await until("its step is under way", async () => (await millrace.find(slow.id))?.progress?.value === 0.5);
      await millrace.cancel(slow.id);
      assert.equal((await millrace.find(slow.id))?.undoing?.because, "cancelled");
      await untilState(millrace, slow.id, "cancelled");
      const steps = (await millrace.steps(slow.id)).map(({ name, value }) => `${name}=${JSON.parse(value)}`);
      assert.deepEqual(steps.sort(), ["charge=receipt", "undo:charge=refunded receipt"]);
    });
  });

  test("mistakes are said: an unknown handler, one that waits, and `undo` beside a module", async () => {
    const wrong = defineKind({
      name: "wrong",
      payload: z.enum(["unknown", "waits"]),
      maxAttempts: 1,
      undo: { nap: (ctx, _value: number) => ctx.sleep("nap", 1) },
      run: async (ctx, what) => {
        const undo = what === "unknown" ? "nope" : "nap";
        await ctx.step("one", () => 1, { undo: undo as "nap" });
        throw new JobFailure("End.", { permanent: true });
      },
    });
    await withEngine({ kinds: [wrong] }, async ({ millrace }) => {
      const unknown = await millrace.submit(wrong, "unknown");
      await assert.rejects(unknown.wait(WAIT), /The stage "running" has no undo handler "nope"/);
      const waits = await millrace.submit(wrong, "waits");
      await assert.rejects(waits.wait(WAIT), /The undo "nap" of "one" failed: An undo handler cannot wait/);
    });
    const module = new URL("./modules/undo.ts", import.meta.url);
    const stage = { isolation: "process", module, undo: {} } as { isolation: "process"; module: URL };
    assert.throws(
      () => defineKind({ name: "k", payload: z.null() }).stage("s", stage),
      /cannot have the option "undo"/,
    );
  });
});
