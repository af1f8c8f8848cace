// An engine in a program, with no log of its own: one job fails, one speaks in a child process, one has a broken module.

import assert from "node:assert/strict";
import { z } from "zod";
import { type AppError, defineKind, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";

const fails = defineKind({
  name: "fails",
  payload: z.null(),
  maxAttempts: 1,
  run: () => {
    throw new Error("No such host.");
  },
});
const moduleNamed = (name: string) => new URL(`../modules/${name}`, import.meta.url);
const speaks = defineKind({
  name: "speaks",
  payload: z.null(),
  isolation: "process",
  module: moduleNamed("speaks.ts"),
});
const broken = defineKind({
  name: "broken",
  payload: z.null(),
  isolation: "process",
  module: moduleNamed("missing.ts"),
});

const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [fails, speaks, broken] });
await (await millrace.submit(fails, null)).wait({ timeoutMs: 20_000 }).catch(() => {});
await (await millrace.submit(speaks, null)).wait({ timeoutMs: 20_000 });
while ((await millrace.health()).problems.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
const submitted = await millrace.submit(broken, null);
const late = await submitted.wait({ timeoutMs: 100 }).then(
  () => assert.fail("a broken module ran"),
  (error: AppError) => error,
);
console.log(JSON.stringify({ code: late.code, hint: late.hint }));
await millrace.stop({ graceMs: 0 });
