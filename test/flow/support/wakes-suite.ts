// When a job that waits goes on. The poll that is the safety net under all wake-ups comes too late here to hide a lost one.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { defineKind } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type { WithEngine } from "./engine.ts";

const NO_POLL = { pollMs: 60_000 };
const WAIT = { timeoutMs: scaled(20_000) };

export function describeWakes(name: string, withEngine: WithEngine): void {
  describe(`a job that waits on ${name}`, () => {
    test("goes on when its sleep is over, in each turn of a loop", async () => {
      const loop = defineKind({
        name: "loop",
        payload: z.number(),
        run: async (ctx, turns) => {
          for (let turn = 0; turn < turns; turn++) await ctx.sleep("nap", 2);
          return "rested";
        },
      });
      const idle = defineKind({ name: "idle", payload: z.null(), run: async () => null });
      await withEngine({ kinds: [idle, loop], ...NO_POLL }, async ({ millrace }) => {
        const job = await millrace.submit(loop, 20);
        assert.equal(await job.wait(WAIT), "rested");
      });
    });

    test("goes on at once if its answer was there before it waited", async () => {
      const loop = defineKind({
        name: "loop",
        payload: z.number(),
        run: async (ctx, turns) => {
          let sum = 0;
          for (let turn = 0; turn < turns; turn++) sum += (await ctx.waitForSignal("item")) as number;
          return sum;
        },
      });
      await withEngine({ kinds: [loop], ...NO_POLL }, async ({ millrace, another }) => {
        const submitter = await another({ work: false });
        const job = await submitter.submit(loop, 20);
        for (let n = 0; n < 20; n++) await submitter.signal(loop, job.id, "item", n);
        await until("the worker has it", async () => (await millrace.find(job.id))?.state !== "pending");
        assert.equal(await millrace.job(job.id).wait(WAIT), 190);
      });
    });

    test("is retried when its pause is over", async () => {
      let attempts = 0;
      const flaky = defineKind({
        name: "flaky",
        payload: z.null(),
        maxAttempts: 10,
        run: async () => {
          if (++attempts < 10) throw new Error("Not yet.");
          return attempts;
        },
      });
      await withEngine({ kinds: [flaky], ...NO_POLL, retryBaseMs: 3, retryMaxMs: 5 }, async ({ millrace }) => {
        assert.equal(await (await millrace.submit(flaky, null)).wait(WAIT), 10);
      });
    });

    test("is woken by a late call once, though the name of the call came before", async () => {
      let runs = 0;
      const poller = defineKind({
        name: "poller",
        payload: z.null(),
        run: async (ctx) => {
          runs++;
          await ctx.waitForSignal("tick");
          const second = async () => {
            await delay(100);
            return ctx.waitForSignal("tick");
          };
          const [two] = await Promise.all([second(), ctx.sleep("long", { hours: 1 })]);
          return two;
        },
      });
      await withEngine({ kinds: [poller] }, async ({ millrace }) => {
        const job = await millrace.submit(poller, null);
        await millrace.signal(poller, job.id, "tick", 1);
        await until("the late call waits", async () =>
          (await millrace.waits(job.id)).some((wait) => wait.name === "tick#2" && wait.state === "open"),
        );
        const before = runs;
        // Twice as long as the call is late: another lost one would have woken the job again.
        await delay(300);
        assert.equal(runs, before);
        assert.equal((await millrace.logs(job.id)).filter(({ message }) => /came after/.test(message)).length, 1);
      });
    });
  });
}
