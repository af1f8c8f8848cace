// A processor for isolated stages that does as it is told.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Context } from "../../../packages/millrace/src/index.ts";

export interface Order {
  do:
    | "double"
    | "steps"
    | "talk"
    | "wait"
    | "spin"
    | "die"
    | "grow"
    | "churn"
    | "throw"
    | "family"
    | "big"
    | "defer"
    | "nap"
    | "leave"
    | "throw-late"
    | "caused";
  n?: number;
  /** Where to say which processes there are. */
  pids?: string;
}

export default async function work(ctx: Context, order: Order): Promise<unknown> {
  if (order.pids && order.do !== "family") writeFileSync(order.pids, String(process.pid));
  switch (order.do) {
    case "double":
      return { n: (order.n ?? 0) * 2, pid: process.pid, attempt: ctx.attempt };
    case "steps": {
      const pid = await ctx.step("pid", () => process.pid);
      if (ctx.attempt === 1) process.kill(process.pid, "SIGKILL");
      return { pid, attempt: ctx.attempt };
    }
    case "talk":
      ctx.progress(0.5, "half");
      ctx.log.info("from the child", { a: 1 });
      await ctx.artifact("a.bin", new Uint8Array([9, 8, 7]), "x/y");
      return new Promise((_resolve, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)));
    case "wait":
      return new Promise(() => {});
    case "spin":
      for (;;);
    case "die":
      await new Promise((resolve) => setTimeout(resolve, order.n ?? 0));
      return process.exit(7);
    case "throw":
      setTimeout(() => {
        throw new Error("thrown in the child's timer");
      }, 5);
      return new Promise(() => {});
    case "grow": {
      const kept: Uint8Array[] = [];
      for (;;) {
        kept.push(new Uint8Array(8 * 1_048_576).fill(1));
        await new Promise((resolve) => setTimeout(resolve, order.n ?? 5));
      }
    }
    case "churn": {
      // Much garbage, little in use: 80 rounds are about 1 GB, of which 60 MB are kept.
      const kept: unknown[][] = [];
      for (let round = 0; round < (order.n ?? 0); round++) {
        kept.push(Array.from({ length: 100_000 }, (_, i) => ({ i, text: `x${i}` })));
        if (kept.length > 5) kept.shift();
        if (round % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return "tidy";
    }
    case "family": {
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
      if (order.pids) writeFileSync(order.pids, `${process.pid} ${child.pid}`);
      if (order.n) setTimeout(() => process.exit(7), order.n);
      return new Promise(() => {});
    }
    case "big":
      return "x".repeat(900_000);
    case "defer":
      if ((await ctx.step("first", () => ctx.leaseKey)) === ctx.leaseKey) ctx.defer({ delayMs: 1 });
      return "came back";
    case "nap":
      await new Promise((resolve) => setTimeout(resolve, order.n ?? 0));
      return "rested";
    case "leave":
      // Code that goes on after its job is done.
      setTimeout(() => {
        ctx.progress(1, "ghost");
        ctx.log.info("ghost");
        ctx.step("ghost", () => "ghost").catch(() => {});
        ctx.artifact("ghost", new Uint8Array(1)).catch(() => {});
      }, 100);
      setTimeout(() => {
        throw new Error("a ghost's exception");
      }, 1_300);
      return "left";
    case "caused":
      throw new RangeError("outer", { cause: Object.assign(new Error("inner"), { code: "E_INNER" }) });
    case "throw-late":
      setTimeout(() => {
        throw new Error("first word");
      }, 5);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return "second word";
  }
}
