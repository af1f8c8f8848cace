// Workflows whose effects are counted outside of the store. `ran`: an effect happened. `seen`: the code got a stored value.

import { z } from "zod";
import { defineKind, JobFailure } from "../../../../packages/millrace/src/index.ts";

export type Effect =
  | { type: "ran" | "seen"; jobId: string; what: string; value: string }
  | { type: "child"; jobId: string; parent: number; key: string };

export type RecordedEffect = Effect & { at: number; by: string };

/** What an order is told to do, so that the test knows how it must end. */
export const OrderPlan = z.object({ order: z.number(), parts: z.number(), signals: z.number(), fails: z.boolean() });

export function workflowKinds(record: (effect: Effect) => void) {
  /** Each run of an effect makes a value of its own, so two runs of a stored step show. */
  const effect = (jobId: string, what: string) => () => {
    const value = crypto.randomUUID();
    record({ type: "ran", jobId, what, value });
    return value;
  };

  const part = defineKind({
    name: "part",
    payload: z.object({ order: z.number(), key: z.string() }),
    run: async (ctx, { order, key }) => {
      record({ type: "child", jobId: ctx.jobId, parent: order, key });
      const value = await ctx.step("make", effect(ctx.jobId, "make"));
      record({ type: "seen", jobId: ctx.jobId, what: "make", value });
      if (key === "slow") await ctx.sleep("dry", 30);
      return { key, value };
    },
  });

  const order = defineKind({ name: "order", payload: OrderPlan }).stage("fulfil", {
    undo: {
      refund: (ctx, charged: string) => record({ type: "ran", jobId: ctx.jobId, what: "refund", value: charged }),
      scrap: (ctx, made: { key: string }) =>
        record({ type: "ran", jobId: ctx.jobId, what: `scrap ${made.key}`, value: made.key }),
    },
    run: async (ctx, { order: number, parts, signals, fails }) => {
      const step = async (what: string, undo?: "refund") => {
        const run = effect(ctx.jobId, what);
        const value = undo ? await ctx.step(what, run, { undo }) : await ctx.step(what, run);
        record({ type: "seen", jobId: ctx.jobId, what, value });
        return value;
      };
      await step("charge", "refund");
      await ctx.sleep("cool-off", 20);
      const payloads = Array.from({ length: parts }, (_, i) => ({ order: number, key: i === 0 ? "slow" : `k${i}` }));
      const made = await ctx.runChildren("parts", part, payloads, { key: ({ key }) => key, undo: "scrap" });
      const got: unknown[] = [];
      for (let n = 0; n < signals; n++) got.push(await ctx.waitForSignal("go"));
      const { winner } = await ctx.race("end", {
        done: ctx.sleep("short", 10),
        never: ctx.waitForSignal("never"),
      });
      await step("pack");
      if (fails) throw new JobFailure("As planned.", { code: "planned", permanent: true });
      return { got, winner, made: made.map(({ key }) => key) };
    },
  });
  return { order, part };
}
