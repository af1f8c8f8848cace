// What each engine of workflows can do here, so that each measurement is written once.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Who } from "../../contenders/open.ts";

export interface WorkflowEngine {
  /** Starts workflows of so many steps, and waits until all have ended. */
  steps(workflows: number, steps: number): Promise<void>;
  /** Starts workflows that sleep so many times for a moment, and waits until all have ended. */
  sleeps?(workflows: number, times: number): Promise<void>;
  /** One parent with so many children: until it has their results. */
  fanOut?(children: number): Promise<void>;
  /** The same number of jobs without a parent. */
  plain?(jobs: number): Promise<void>;
  /** From the call that sends a message to the next line of a workflow that waits for it, in milliseconds, one after the other. */
  resumed?(signals: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Before each signal every engine rests for so long: the time is that of one signal, and not of the wait's beginning. */
export const REST_MS = 50;

export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function openEngine(who: Who, dir: string): Promise<WorkflowEngine> {
  if (who === "dbos") return (await import("./dbos.ts")).openDbos(urlIn(dir));
  if (who === "pg-boss") return (await import("./pg-boss.ts")).openPgBossFlows(urlIn(dir));
  const { openMillraceWorkflows } = await import("./millrace.ts");
  return openMillraceWorkflows(who === "millrace postgres" ? urlIn(dir) : join(dir, "jobs.db"));
}

function urlIn(dir: string): string {
  return readFileSync(join(dir, "url"), "utf8");
}
