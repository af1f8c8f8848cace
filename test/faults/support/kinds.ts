// The kinds the fault tests run. What a job does is in its payload, so that one program serves every test.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { z } from "zod";
import type { Context } from "../../../packages/millrace/src/job/context.ts";
import { defineKind } from "../../../packages/millrace/src/job/kind/define-kind.ts";
import type { History } from "./history.ts";

export const Errand = z.object({
  key: z.string(),
  /** Waits this long, its loop free. */
  waitMs: z.number().optional(),
  /** Blocks the loop this long. */
  spinMs: z.number().optional(),
  /** Waits until this file exists. */
  gate: z.string().optional(),
  /** Runs this many steps in each stage. */
  steps: z.number().optional(),
  /** Ends its own process the first time, or every time. */
  dies: z.enum(["abort", "kill", "exit"]).optional(),
  /** Once the gate is open it goes on writing whatever its signal says. */
  stubborn: z.boolean().optional(),
  /** Makes the row this much larger. */
  filler: z.string().optional(),
  /** Isolated only: starts another process in its group and then never returns. */
  spins: z.enum(["alone", "with-grandchild"]).optional(),
});
export type Errand = z.infer<typeof Errand>;

export interface Made {
  key: string;
  chain: { stage: string; token: number }[];
}

export const FIVE = ["first", "second", "third", "fourth", "fifth"];
/** For the checker: the stages each kind goes through. */
export const STAGES: Record<string, string[]> = { single: ["running"], five: FIVE };

const MANY_CRASHES = 100_000;
const retry = { baseMs: 20, maxMs: 100 };

export interface KindOptions {
  /** Missing: so many that a torture loop makes no dead letter. */
  maxCrashes?: number;
  processors?: number;
}

export function kindsFor(history: History, { maxCrashes = MANY_CRASHES, processors = 5 }: KindOptions = {}) {
  const run = (ctx: Context, input: Errand | Made) => doErrand(ctx, input, history);
  const options = { payload: Errand, maxCrashes };
  const stage = { processors, retry, run };
  const single = defineKind({ name: "single", ...options, ...stage });
  const five = defineKind({ name: "five", ...options })
    .stage("first", stage)
    .stage("second", stage)
    .stage("third", stage)
    .stage("fourth", stage)
    .stage("fifth", stage);
  const apart = defineKind({
    name: "apart",
    ...options,
    processors,
    retry,
    isolation: "process",
    module: new URL("./isolated-errand.ts", import.meta.url),
  });
  return { single, five, apart };
}

export type KindName = keyof ReturnType<typeof kindsFor>;

/** One attempt of one stage, written down; its result names the attempts that led to it. */
async function doErrand(ctx: Context, input: Errand | Made, history: History): Promise<Made> {
  const errand = ctx.payload as Errand;
  const token = Number(ctx.leaseKey.split(".")[1]);
  const about = { jobId: ctx.jobId, token, stage: ctx.stage };
  history.append({ type: "attempt-started", ...about, attempt: ctx.attempt });
  die(errand.dies);
  for (let i = 0; i < (errand.steps ?? 0); i++) {
    const step = `${ctx.stage} ${i}`;
    await ctx.step(step, () => {
      history.append({ type: "step-ran", ...about, step });
      return i;
    });
  }
  if (errand.spinMs) spin(errand.spinMs);
  if (errand.waitMs) await pause(errand.waitMs, ctx.signal);
  if (errand.gate) await opened(errand.gate, errand.stubborn ? undefined : ctx.signal);
  if (errand.stubborn) await writeAll(ctx);
  const before = "chain" in input ? input.chain : [];
  return { key: errand.key, chain: [...before, { stage: ctx.stage, token }] };
}

function die(how: Errand["dies"]): void {
  if (how === "abort") process.abort();
  if (how === "exit") process.exit(137);
  if (how === "kill") {
    process.kill(process.pid, "SIGKILL");
    for (;;);
  }
}

/** Tries every write a lease allows, one after the other, whatever each says. */
async function writeAll(ctx: Context): Promise<void> {
  ctx.progress(0.5, "late");
  await ctx.step("late step", () => 1).catch(() => {});
  await ctx.artifact("late artifact", Buffer.from("late")).catch(() => {});
}

export function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, Math.min(10, until - performance.now())));
  }
}

async function opened(gate: string, signal: AbortSignal | undefined): Promise<void> {
  while (!existsSync(gate)) {
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A process in the same group that would live for an hour. */
export function startGrandchild(): number | undefined {
  const grandchild = spawn("sleep", ["3600"], { stdio: "ignore" });
  grandchild.unref();
  return grandchild.pid;
}
