// A shared package exports these; its declarations must name every type that they have.

import { defineKind, defineWorkload, JobFailure, moduleOf, work } from "millrace";
import { z } from "zod";

type Draw = { default: (ctx: unknown, input: { n: number }) => Promise<{ area: number; at: Date }> };

export const whole = defineKind({
  name: "whole",
  payload: z.object({ url: z.string(), at: z.coerce.date() }),
  run: async (_ctx, { url }) => ({ length: url.length, at: new Date() }),
});
export const started = defineKind({ name: "started", payload: z.string() });
export const staged = defineKind({ name: "staged", payload: z.object({ url: z.string() }) })
  .stage("fetch", { run: async (ctx, { url }) => ({ bytes: await ctx.step("get", () => url.length) }) })
  .stage("resize", { run: async (_ctx, { bytes }) => ({ width: bytes * 2 }) });
export const module = moduleOf<Draw>(new URL("./draw.js", import.meta.url));
export const isolated = defineKind({ name: "isolated", payload: z.object({ n: z.number() }) }).stage("draw", {
  isolation: "process",
  module,
});
export const untyped = defineKind({
  name: "untyped",
  payload: z.null(),
  isolation: "process",
  module: new URL("./draw.js", import.meta.url),
});
export const contract = defineKind({
  name: "order",
  payload: z.object({ id: z.string() }),
  result: z.object({ receipt: z.string() }),
});
export const begun = work(contract);
export const single = work(contract, { run: async () => ({ receipt: "" }) });
export const worked = work(contract)
  .stage("charge", { run: () => ({ paid: true }) })
  .stage("ship", { run: () => ({ receipt: "r-1" }) });
export const kinds = [whole, staged, isolated, worked];
export const byName = { whole, staged, contract };
export const addStage = staged.stage;
export const stages = staged.stages.map(({ name, pace, work: how }) => ({ name, pace, how }));
export const options = new JobFailure("x").options;
export const workload = defineWorkload({ name: "mine", kinds, stop: () => undefined });
