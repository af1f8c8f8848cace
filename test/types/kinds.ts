// Compiled by tsc, never run: types flow from the kind to submit, to each stage and to the result.

import { z } from "zod";
import {
  type Context,
  defineKind,
  type JobHandle,
  type Kind,
  type Millrace,
  moduleOf,
  type NoSignals,
  type SignalInputs,
} from "../../packages/millrace/src/index.ts";
import type { Testkit } from "../../packages/millrace/src/testing.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

const payload = z.object({ url: z.string(), size: z.number().default(10) });

const one = defineKind({
  name: "one",
  payload,
  run: async (ctx, parsed) => {
    same<typeof parsed, { url: string; size: number }>(true);
    same<typeof ctx, Context<{ url: string; size: number }>>(true);
    return { bytes: parsed.size };
  },
});
same<typeof one, Kind<{ url: string; size?: number | undefined }, { bytes: number }, SignalInputs<NoSignals>>>(true);

interface Receipt {
  id: string;
}

const labelled = defineKind({ name: "labelled", payload, run: async (): Promise<Receipt> => ({ id: "1" }) });

const order = defineKind({
  name: "order",
  payload,
  signals: { paid: z.object({ amount: z.number(), at: z.date().optional() }) },
}).stage("fulfil", {
  undo: {
    refund: (ctx, receipt: Receipt) => `${ctx.payload.url} ${receipt.id}`,
    unpack: (_ctx, _boxes: number) => undefined,
  },
  run: async (ctx, input) => {
    same<typeof input.url, string>(true);
    const receipt = await ctx.step("charge", async ({ key }) => ({ id: key, fee: 3 }), { undo: "refund" });
    same<typeof receipt, { id: string; fee: number }>(true);
    await ctx.step("pack", () => 3, { undo: "unpack", renamedFrom: "box" });
    // @ts-expect-error the handler takes another value
    await ctx.step("wrap", () => 3, { undo: "refund" });
    // @ts-expect-error the stage has no such handler
    await ctx.step("send", () => 3, { undo: "recall" });
    const child = await ctx.runChild("label", labelled, { url: "x" }, { undo: "refund" });
    same<typeof child, Receipt>(true);
    const children = await ctx.runChildren("labels", labelled, [{ url: "x" }], {
      key: ({ url }) => url,
      undo: "refund",
    });
    same<typeof children, Receipt[]>(true);
    // @ts-expect-error the handler takes another value
    await ctx.runChild("wrong", labelled, { url: "x" }, { undo: "unpack" });
    // @ts-expect-error the stage has no such handler
    await ctx.runChild("recalled", labelled, { url: "x" }, { undo: "recall" });
    // @ts-expect-error the stage has no such handler
    await ctx.runChildren("recalled", labelled, [{ url: "x" }], { key: ({ url }) => url, undo: "recall" });
    // @ts-expect-error the payloads are no strings, so a key is required
    await ctx.runChildren("keyless", labelled, [{ url: "x" }], { undo: "refund" });
    const paid = await ctx.waitForSignal("paid", { timeout: { days: 3 } });
    same<typeof paid, { amount: number; at?: string } | undefined>(true);
    const other = await ctx.waitForSignal("other", { schema: z.object({ n: z.number() }) });
    same<typeof other, { n: number } | undefined>(true);
    return { receipt: receipt.id };
  },
});

export async function signalling(millrace: Millrace): Promise<void> {
  await millrace.signal(order, "job_1", "paid", { amount: 10 });
  await millrace.signal(order, { uniqueKey: "7", orSubmit: { url: "x" } }, "paid", { amount: 10 });
  await millrace.signal(order, "job_1", "undeclared", { any: "thing" });
  await millrace.signal("order", "job_1", "paid", { any: "thing" });
  // @ts-expect-error the value of a declared signal has another type
  await millrace.signal(order, "job_1", "paid", { amount: "ten" });
  // @ts-expect-error the payload of the job to submit does not fit
  await millrace.signal(order, { uniqueKey: "7", orSubmit: { uri: "x" } }, "paid", { amount: 10 });
}

const three = defineKind({ name: "three", payload })
  .stage("fetch", { run: async (_ctx, input) => ({ html: input.url }) })
  .stage("count", {
    run: (ctx, input) => {
      same<typeof input, { html: string }>(true);
      same<typeof ctx.payload, { url: string; size: number }>(true);
      return input.html.length;
    },
  })
  .stage("judge", {
    run: (_ctx, input) => {
      same<typeof input, number>(true);
      return input > 3 ? ("long" as const) : ("short" as const);
    },
  });

const isolated = defineKind({ name: "isolated", payload }).stage("render", {
  isolation: "process",
  module: moduleOf<{ default: (ctx: Context, input: unknown) => Promise<{ svg: string }> }>(new URL("file:///x.ts")),
});

export async function submitting(millrace: Millrace, kit: Testkit): Promise<void> {
  const handle = await millrace.submit(one, { url: "x" });
  same<typeof handle, JobHandle<{ bytes: number }>>(true);
  same<Awaited<ReturnType<typeof handle.wait>>, { bytes: number }>(true);
  const word = await kit.run(three, { url: "x", size: 1 });
  same<typeof word, "long" | "short">(true);
  const picture = await kit.run(isolated, { url: "x" });
  same<typeof picture, { svg: string }>(true);
  const many = await millrace.submitMany(one, [{ url: "x" }, { url: "y", size: 2 }]);
  same<typeof many, JobHandle<{ bytes: number }>[]>(true);
  await millrace.schedules.put(one, { name: "n", cron: "* * * * *", payload: { url: "x" } });

  // @ts-expect-error a field of the payload is missing
  await millrace.submit(one, {});
  // @ts-expect-error a field of the payload has another type
  await millrace.submit(one, { url: 5 });
  // @ts-expect-error one payload of many does not fit
  await millrace.submitMany(one, [{ url: "x" }, { uri: "y" }]);
  // @ts-expect-error an option nobody knows
  await millrace.submit(one, { url: "x" }, { delay: 5 });
  // @ts-expect-error a schedule's payload is checked as a submission's
  await millrace.schedules.put(one, { name: "n", cron: "* * * * *", payload: { url: 1 } });
  // @ts-expect-error the result has no such field
  (await handle.wait()).size;
}

defineKind({ name: "wrong", payload })
  .stage("first", { run: () => 5 })
  // @ts-expect-error the stage before returned a number, not a string
  .stage("second", { run: (_ctx: Context<{ url: string; size: number }>, input: string) => input });

defineKind({
  name: "again",
  payload,
  run: (ctx, { url, size }) => {
    if (size > 5) return { size };
    if (size === 0) return ctx.continueAsNew({ url, size: size + 1 });
    // @ts-expect-error a field of the payload has another type
    return ctx.continueAsNew({ url, size: "1" });
  },
});

// @ts-expect-error an isolated stage needs its module
defineKind({ name: "wrong", payload }).stage("first", { isolation: "process" });

// @ts-expect-error a kind needs a schema
defineKind({ name: "wrong", run: () => 1 });
