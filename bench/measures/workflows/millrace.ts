import { z } from "zod";
import { defineKind, type JobHandle, Millrace, postgres, sqlite } from "../../../packages/millrace/src/index.ts";
import { now } from "../../contenders/contender.ts";
import { REST_MS, rest, type WorkflowEngine } from "./contender.ts";

const MOMENT_MS = 5;

export async function openMillraceWorkflows(store: string): Promise<WorkflowEngine> {
  const resumedAt: { at: number }[] = [];
  const payload = z.object({ count: z.number() });
  const stepped = defineKind({
    name: "stepped",
    payload,
    run: async (ctx, { count }) => {
      for (let n = 0; n < count; n++) await ctx.step(`step ${n}`, async () => n);
    },
  });
  const sleeper = defineKind({
    name: "sleeper",
    payload,
    run: async (ctx, { count }) => {
      for (let n = 0; n < count; n++) await ctx.sleep("nap", MOMENT_MS);
    },
  });
  const child = defineKind({ name: "child", payload: z.string(), processors: 100, run: async (_ctx, n) => n });
  const parent = defineKind({
    name: "parent",
    payload,
    run: async (ctx, { count }) => {
      const payloads = Array.from({ length: count }, (_, n) => String(n));
      return (await ctx.runChildren("all", child, payloads)).length;
    },
  });
  const listener = defineKind({
    name: "listener",
    payload,
    run: async (ctx, { count }) => {
      const calls = resumedAt.length;
      for (let n = 0; n < count; n++) {
        await ctx.waitForSignal("go");
        // The run after the n-th signal is the first that gets here.
        if (n >= calls) resumedAt.push({ at: now() });
      }
    },
  });
  const millrace = await Millrace.open({
    store: store.startsWith("postgres") ? postgres(store) : sqlite(store),
    kinds: [stepped, sleeper, child, parent, listener],
    processors: 100,
    maxChildren: 0,
    maxTreeJobs: 0,
    log: false,
  });
  const all = async (kind: typeof stepped, jobs: number, count: number) => {
    const handles = await millrace.submitMany(
      kind,
      Array.from({ length: jobs }, () => ({ count })),
    );
    await Promise.all(handles.map((handle) => handle.wait()));
  };
  return {
    steps: (workflows, steps) => all(stepped as never, workflows, steps),
    sleeps: (workflows, times) => all(sleeper as never, workflows, times),
    fanOut: (children) => all(parent as never, 1, children),
    plain: async (jobs) => {
      const handles: JobHandle<string>[] = [];
      for (let from = 0; from < jobs; from += 1_000) {
        const payloads = Array.from({ length: Math.min(1_000, jobs - from) }, (_, n) => String(from + n));
        handles.push(...(await millrace.submitMany(child, payloads)));
      }
      await Promise.all(handles.map((handle) => handle.wait()));
    },
    resumed: async (signals) => {
      const job = await millrace.submit(listener, { count: signals });
      const took: number[] = [];
      for (let n = 0; n < signals; n++) {
        while (!(await millrace.find(job.id))?.waitsFor?.length) await rest(1);
        await rest(REST_MS);
        const sentAt = now();
        await millrace.signal(listener, job.id, "go");
        while (resumedAt.length <= n) await rest(1);
        took.push((resumedAt[n]?.at ?? 0) - sentAt);
      }
      await job.wait();
      return took;
    },
    close: () => millrace.stop({ graceMs: 0 }),
  };
}
