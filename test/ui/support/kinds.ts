// Kinds for the pages: one that ends at once, one that ends when it is told to, one of three stages, and one with a form.

import { z } from "zod";
import { defineKind, JobFailure } from "../../../packages/millrace/src/index.ts";

const anything = z.unknown();

export const quick = defineKind({
  name: "quick",
  payload: anything,
  run: (ctx, payload) => {
    ctx.log.info("at work", { payload });
    return { echo: payload ?? null };
  },
});

export const waits = defineKind({
  name: "waits",
  payload: anything,
  processors: 2,
  run: (ctx) => {
    ctx.progress(0.4, "page 4 of 10");
    ctx.log.info("begun");
    return new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)));
  },
});

export const writes = defineKind({
  name: "writes",
  payload: z.looseObject({ fails: z.boolean().optional() }),
  processors: 2,
  run: async (ctx, { fails }) => {
    const out = ctx.stream("answer");
    await ctx.step("first turn", async () => {
      for (const word of ["The ", "first ", "turn ", "is ", "stored. "]) await out.write(word);
      return null;
    });
    await out.write(ctx.attempt === 1 && fails ? "A half-done " : "The second turn goes on.\n");
    await ctx.stream("rows").write({ row: 1, name: "ada" });
    for (const name of ["build", "audit"]) await ctx.stream(name).write(`${name} begins\n`);
    if (ctx.attempt === 1 && fails) throw new Error("The connection was lost.");
    return new Promise((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)));
  },
});

export const order = defineKind({ name: "order", payload: z.looseObject({ customer: z.string().optional() }) })
  .stage("reserve", { run: (ctx) => ctx.step("reserve stock", () => ({ reserved: 2 })) })
  .stage("charge", {
    maxAttempts: 1,
    run: (ctx) => {
      if (ctx.payload.customer === "carol") throw new JobFailure("Card was declined.", { code: "card-declined" });
      if (ctx.payload.customer === "wordy") throw new JobFailure(`Declined: ${"and why ".repeat(300)}the end.`);
      return { charged: true };
    },
  })
  .stage("ship", {
    run: (ctx) => (ctx.payload.customer === "dave" ? ctx.hold("address needs review") : { tracking: "MR-1" }),
  });

export const shipment = defineKind({
  name: "shipment",
  payload: z.object({ id: z.number() }),
  run: async (ctx, { id }) => {
    await ctx.step("pack", () => ({ boxes: 2 }));
    await ctx.sleep("cool-off", 1);
    const decision = await ctx.waitForApproval("ship", {
      title: `Ship order ${id}?`,
      details: { boxes: 2, to: "Oslo" },
      choices: ["yes", "no"],
      audience: "warehouse",
    });
    const paid = await ctx.waitForSignal("paid", { timeout: { days: 3 } });
    return { choice: decision?.choice ?? null, paid: paid ?? null };
  },
});

export const thumbnail = defineKind({
  name: "thumbnail",
  payload: z.string(),
  processors: 2,
  maxAttempts: 1,
  run: async (ctx, name) => {
    if (name.startsWith("bad")) throw new JobFailure("Not a picture.", { code: "not-a-picture" });
    if (name.startsWith("slow")) await ctx.waitForSignal("drawn");
    return { name };
  },
});

export const fails = defineKind({
  name: "fails",
  payload: z.string(),
  processors: 4,
  maxAttempts: 1,
  run: (_ctx, message) => {
    throw new JobFailure(message, { code: "declined" });
  },
});

export const album = defineKind({
  name: "album",
  payload: z.object({ name: z.string().optional(), pictures: z.array(z.string()) }),
  run: async (ctx, { pictures }) => {
    await ctx.submit("note", quick, "an album begins");
    await ctx.sleep("settle", 300);
    await ctx.runChildren("thumbnails", thumbnail, pictures, { ifChildFails: "collect", results: false });
    return { pictures: pictures.length };
  },
});

export const library = defineKind({
  name: "library",
  payload: z.object({ albums: z.record(z.string(), z.array(z.string())) }),
  run: async (ctx, { albums }) => {
    const payloads = Object.entries(albums).map(([name, pictures]) => ({ name, pictures }));
    await ctx.runChildren("albums", album, payloads, {
      key: ({ name }) => name ?? "",
      results: false,
    });
    return null;
  },
});

export const email = defineKind({
  name: "email",
  payload: z.strictObject({
    to: z.email().meta({ description: "Who receives it." }),
    copies: z.int().min(1).optional(),
    urgent: z.boolean().optional(),
    format: z.enum(["html", "text"]).default("html"),
  }),
  examples: [{ to: "alice@example.org" }],
  run: (_ctx, payload) => payload,
});
