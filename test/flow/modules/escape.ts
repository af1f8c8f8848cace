// A confined processor that tries to get out, on a thread, where nothing is removed from the runtime's functions.

import { Worker } from "node:worker_threads";
import type { Context } from "../../../packages/millrace/src/index.ts";
import type { Plan, Tried } from "./escape-thread.ts";

export type Order = Plan | "spin" | "fill";

export default async function tryToEscape(_ctx: Context<Order>, order: Order): Promise<Tried[]> {
  if (order === "spin") for (;;);
  if (order === "fill") return fill();
  const thread = new Worker(new URL("./escape-thread.ts", import.meta.url), { workerData: order });
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
  });
}

async function fill(): Promise<never> {
  const kept: Buffer[] = [];
  for (;;) {
    kept.push(Buffer.alloc(10_000_000, 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
