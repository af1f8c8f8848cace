// What `simulate()` says of a load, beside a real run of the same load. The processors wait as long as an attempt is said to run,
// so the machine computes little, and the figures are those of the engine's decisions.

import { setTimeout as pause } from "node:timers/promises";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defineKind, Millrace, sqlite } from "../../packages/millrace/src/index.ts";
import { arrivalsOf, tenantOf } from "../../packages/millrace/src/simulate/arrivals.ts";
import { drawRunMs, seededRandom } from "../../packages/millrace/src/simulate/chance.ts";
import type { SimulationPlan } from "../../packages/millrace/src/simulate/plan.ts";
import type { SimulationReport } from "../../packages/millrace/src/simulate/report.ts";
import { simulate } from "../../packages/millrace/src/simulate/simulate.ts";
import { fileOf } from "../contenders/millrace.ts";
import { type Case, type Figures, type Measure, median, percentile } from "../harness.ts";

const anything: StandardSchemaV1<unknown> = {
  "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) },
};

/** Long enough that the order of chance hardly counts. */
const PLANS: readonly { setting: string; plan: SimulationPlan }[] = [
  {
    setting: "a burst of 3,000 jobs of three tenants, one of them limited",
    plan: {
      duration: { seconds: 25 },
      kinds: { job: { stages: { work: { processors: 10, runMs: { median: 60, p95: 150 } } } } },
      load: [
        { kind: "job", tenants: 2, jobs: 2_000 },
        { kind: "job", tenant: "limited", jobs: 1_000 },
      ],
      tenants: { limited: { concurrency: 2, overflow: "queue" } },
    },
  },
  {
    setting: "two stages, the second with a pace",
    plan: {
      duration: { seconds: 25 },
      kinds: {
        job: {
          stages: {
            fetch: { processors: 10, runMs: { min: 100, max: 300 } },
            store: { processors: 10, runMs: 20, pace: { count: 40, perMs: 1_000 } },
          },
        },
      },
      load: [{ kind: "job", perSecond: 48, until: { seconds: 20 } }],
    },
  },
  {
    setting: "more jobs than the processors can do, with failures",
    plan: {
      duration: { seconds: 25 },
      kinds: { job: { stages: { work: { processors: 20, runMs: 200, failureRate: 0.1, retryBaseMs: 0 } } } },
      load: [{ kind: "job", perSecond: 120, tenants: 5 }],
    },
  },
];

export const simulation: Measure = {
  name: "simulation",
  title: "a simulation beside a real run of the same load",
  unit: "% largest error",
  rounds: 1,
  cases: ({ quick }) =>
    PLANS.slice(0, quick ? 1 : PLANS.length).map(
      ({ setting }, plan): Case => ({ who: "millrace full", setting, with: { plan } }),
    ),
  async run(each, dir) {
    const { plan } = PLANS[each.with["plan"] as number] as (typeof PLANS)[number];
    const real = await runReally(plan, dir);
    const said = await simulateSome(plan);
    const errors = Object.keys(real).map((name) => Math.abs((said[name] as number) / (real[name] as number) - 1) * 100);
    const both = Object.entries(real).flatMap(([name, value]): [string, number][] => [
      [`${name}, real`, value],
      [`${name}, simulated`, said[name] as number],
    ]);
    return { "largest error": Math.max(...errors), ...Object.fromEntries(both) };
  },
};

/** The median over seeds: one run of chance may be far from it. */
async function simulateSome(plan: SimulationPlan): Promise<Figures> {
  const reports: SimulationReport[] = [];
  for (const seed of [1, 2, 3, 4, 5]) reports.push(await simulate({ ...plan, seed }));
  const of = (read: (report: SimulationReport) => number) => median(reports.map(read));
  const last = (report: SimulationReport) => report.stages.at(-1);
  return {
    "attempts of the last stage": of((report) => last(report)?.attempts ?? 0),
    "p50 of its wait, ms": of((report) => last(report)?.waitMs.p50 ?? 0),
    "p95 of its wait, ms": of((report) => last(report)?.waitMs.p95 ?? 0),
  };
}

async function runReally(plan: SimulationPlan, dir: string): Promise<Figures> {
  const random = seededRandom(99);
  const endMs = (plan.duration.seconds as number) * 1_000;
  const dueAt = new Map<string, number>();
  const waits = new Map<string, number[]>();
  const attempts = new Map<string, number>();
  const stages = Object.entries(plan.kinds["job"]?.stages ?? {});
  let isOver = false;
  let kind: ReturnType<typeof defineKind> | undefined;
  for (const [name, { runMs, failureRate = 0, processors, pace, retryBaseMs }] of stages) {
    waits.set(name, []);
    const stage = {
      ...(processors !== undefined && { processors }),
      ...(pace && { pace }),
      ...(retryBaseMs !== undefined && { retry: { baseMs: retryBaseMs } }),
      run: async (ctx: { job?: unknown; jobId: string }, { at }: { at: number }) => {
        const now = Date.now();
        waits.get(name)?.push(now - (dueAt.get(ctx.jobId) ?? at));
        await pause(drawRunMs(runMs, random));
        if (!isOver) attempts.set(name, (attempts.get(name) ?? 0) + 1);
        dueAt.set(ctx.jobId, Date.now());
        if (random() < failureRate) throw new Error("Simulated.");
        return { at };
      },
    };
    kind = (kind ?? defineKind({ name: "job", payload: anything as never })).stage(name, stage as never) as never;
  }
  const millrace = await Millrace.open({ store: sqlite(fileOf(dir)), kinds: [kind as never], log: false });
  for (const [tenant, limits] of Object.entries(plan.tenants ?? {})) await millrace.limits.setTenant(tenant, limits);
  const start = Date.now();
  await Promise.all(
    plan.load.map(async (load) => {
      for (const { at, jobs } of arrivalsOf(load, endMs, random)) {
        const early = start + at - Date.now();
        if (early > 0) await pause(early);
        const due = Date.now();
        const byTenant = Map.groupBy(Array.from({ length: jobs }), () => tenantOf(load, random));
        for (const [tenant, many] of byTenant) {
          await millrace.submitMany(kind as never, many.map(() => ({ at: due })) as never, { tenant });
        }
      }
    }),
  );
  await pause(Math.max(0, start + endMs - Date.now()));
  isOver = true;
  await millrace.stop({ graceMs: 0 });
  const last = stages.at(-1)?.[0] ?? "";
  const waited = waits.get(last) ?? [];
  return {
    "attempts of the last stage": attempts.get(last) ?? 0,
    "p50 of its wait, ms": percentile(waited, 0.5),
    "p95 of its wait, ms": percentile(waited, 0.95),
  };
}
