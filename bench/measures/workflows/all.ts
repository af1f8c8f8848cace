// Workflows on both stores, beside DBOS Transact and the flows of pg-boss on PostgreSQL.

import type { Who } from "../../contenders/open.ts";
import type { Case, Figures, Measure } from "../../harness.ts";
import { withServer } from "../postgres/server.ts";
import { openEngine, type WorkflowEngine } from "./contender.ts";

const STEPS = 10;
const SLEEPS = 5;

export const workflowSteps = measure({
  name: "workflow-steps",
  title: `Workflows of ${STEPS} steps`,
  unit: "workflows/s",
  who: ["millrace full", "millrace postgres", "dbos", "pg-boss"],
  counts: { full: 500, quick: 50 },
  work: async (engine, count) => {
    await engine.steps(Math.ceil(count / 10), STEPS);
    return perSecond(count, () => engine.steps(count, STEPS));
  },
});

export const workflowSleeps = measure({
  name: "workflow-sleeps",
  title: `Sleeps of 5 ms and wakes, ${SLEEPS} in each workflow`,
  unit: "sleeps/s",
  who: ["millrace full", "millrace postgres", "dbos"],
  counts: { full: 500, quick: 50 },
  work: async (engine, count) => {
    await engine.sleeps?.(Math.ceil(count / 10), SLEEPS);
    return perSecond(count * SLEEPS, async () => engine.sleeps?.(count, SLEEPS));
  },
});

export const workflowFanOut = measure({
  name: "workflow-fan-out",
  title: "One parent, its children and the join, against as many jobs without a parent",
  unit: "ms",
  who: ["millrace full", "millrace postgres", "dbos", "pg-boss"],
  counts: { full: 10_000, quick: 1_000 },
  work: async (engine, count) => {
    await engine.plain?.(100);
    const plain = await timed(async () => engine.plain?.(count));
    const joined = await timed(async () => engine.fanOut?.(count));
    return { ms: joined, "plain ms": plain, "times plain": joined / plain };
  },
});

export const workflowResumed = measure({
  name: "workflow-resumed",
  title: "From the call that sends a signal to the next line of the workflow that waits for it: p99",
  unit: "ms",
  who: ["millrace full", "millrace postgres", "dbos"],
  counts: { full: 300, quick: 50 },
  work: async (engine, count) => {
    const took = ((await engine.resumed?.(count)) ?? []).sort((a, b) => a - b);
    const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
    return { "p99 ms": at(0.99), "p50 ms": at(0.5) };
  },
});

export const workflowMeasures: Measure[] = [workflowSteps, workflowSleeps, workflowFanOut, workflowResumed];

interface Described {
  name: string;
  title: string;
  unit: string;
  who: Who[];
  counts: { full: number; quick: number };
  work(engine: WorkflowEngine, count: number): Promise<Figures>;
}

function measure({ name, title, unit, who, counts, work }: Described): Measure {
  return {
    name,
    title,
    unit,
    cases: ({ quick }) => {
      const count = quick ? counts.quick : counts.full;
      return who.map((each): Case => ({ who: each, setting: count.toLocaleString("en-US"), with: { count } }));
    },
    run: async (each, dir) => {
      const run = async () => {
        const engine = await openEngine(each.who, dir);
        try {
          return await work(engine, each.with["count"] as number);
        } finally {
          await engine.close();
        }
      };
      return each.who === "millrace full" ? run() : withServer(dir, run);
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function perSecond(count: number, work: () => Promise<unknown>): Promise<Figures> {
  return { "per second": count / ((await timed(work)) / 1_000) };
}
