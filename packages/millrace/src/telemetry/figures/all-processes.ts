// The figures of all processes on one store. Each process stores its counts with its heartbeat, and a reader adds them up. The
// counts of a process stay when it has ended, so that no counter ever falls.

import type { Percentiles } from "./histogram.ts";
import type { ProcessMetrics } from "./metrics.ts";
import { type MetricsSources, type MetricsView, processorsOf, type StageView } from "./metrics-view.ts";
import type { TenantTotals } from "./tenant-figures.ts";

const COUNTERS = [
  "jobsSubmitted",
  "jobsCompleted",
  "jobsFailed",
  "jobsCancelled",
  "attemptsFailed",
  "submissionsRefused",
  "leasesExpired",
] as const;
type Counters = Record<(typeof COUNTERS)[number], number>;
type StageCounts = Pick<StageView, "completed" | "failed" | "retries">;

/** The figures of one process: counts since its start, and percentiles of the last minutes. */
export interface ReportedFigures extends Counters {
  stages: Record<string, StageCounts & Pick<StageView, "waitMs" | "runMs">>;
  tenants: Record<string, TenantTotals>;
}

/** The figures are written every few seconds, so they stay small. */
const MOST_TENANTS = 20;

export function figuresToTell(metrics: ProcessMetrics): ReportedFigures {
  const tenants = [...metrics.tenants.view()].sort(([, a], [, b]) => b.completed - a.completed);
  return {
    ...countersOf(metrics),
    stages: Object.fromEntries(
      metrics.stages().map((figures) => [
        `${figures.kind}/${figures.stage}`,
        {
          completed: figures.completed,
          failed: figures.deadLetters + figures.rejected,
          retries: figures.retries,
          waitMs: figures.wait.percentiles(),
          runMs: figures.run.percentiles(),
        },
      ]),
    ),
    tenants: Object.fromEntries(tenants.slice(0, MOST_TENANTS)),
  };
}

/** Another living process, with the figures that it last reported. */
export interface OtherProcess {
  id: number;
  pools: MetricsSources["pools"];
  figures: ReportedFigures | undefined;
}

export class AllProcesses {
  readonly #lastTold = new Map<number, ReportedFigures>();
  #gone: ReportedFigures = { ...countersOf(undefined), stages: {}, tenants: {} };

  /** This process's figures with those of the others. Percentiles do not add up, so the slowest stands for all. */
  added(own: MetricsView, others: readonly OtherProcess[]): MetricsView {
    this.#remember(others);
    const living = others.flatMap(({ figures }) => (figures ? [figures] : []));
    const told = [this.#gone, ...living];
    const sum = (counter: (typeof COUNTERS)[number]) =>
      told.reduce((total, each) => total + each[counter], own[counter]);
    return {
      ...own,
      ...(Object.fromEntries(COUNTERS.map((counter) => [counter, sum(counter)])) as Counters),
      perStage: Object.fromEntries(
        Object.entries(own.perStage).map(([name, view]) => [name, stageOfAll(name, view, told, living, others)]),
      ),
      perTenant: [{ tenants: own.perTenant }, ...told].reduce((sums, each) => withTenants(sums, each.tenants), {}),
    };
  }

  #remember(others: readonly OtherProcess[]): void {
    const living = new Set(others.map(({ id }) => id));
    for (const [id, figures] of this.#lastTold) {
      if (living.has(id)) continue;
      this.#lastTold.delete(id);
      this.#gone = together(this.#gone, figures);
    }
    for (const { id, figures } of others) if (figures) this.#lastTold.set(id, figures);
  }
}

function stageOfAll(
  name: string,
  own: StageView,
  told: readonly ReportedFigures[],
  living: readonly ReportedFigures[],
  others: readonly OtherProcess[],
): StageView {
  const [kind = "", stage = ""] = name.split("/");
  const sum = (count: keyof StageCounts) =>
    told.reduce((total, { stages }) => total + (stages[name]?.[count] ?? 0), own[count]);
  const theirs = living.flatMap(({ stages }) => (stages[name] ? [stages[name]] : []));
  const elsewhere = others.map(({ pools }) => processorsOf(pools, kind, stage));
  const processors = [own.processors, ...elsewhere].reduce((a, b) => ({
    idle: a.idle + b.idle,
    busy: a.busy + b.busy,
    error: a.error + b.error,
  }));
  return {
    ...own,
    processors,
    completed: sum("completed"),
    failed: sum("failed"),
    retries: sum("retries"),
    waitMs: slowest([own, ...theirs].map(({ waitMs }) => waitMs)),
    runMs: slowest([own, ...theirs].map(({ runMs }) => runMs)),
  };
}

function slowest(all: readonly Percentiles[]): Percentiles {
  return all.reduce((a, b) => ({
    p50: Math.max(a.p50, b.p50),
    p95: Math.max(a.p95, b.p95),
    p99: Math.max(a.p99, b.p99),
  }));
}

function countersOf(from: Counters | undefined): Counters {
  return Object.fromEntries(COUNTERS.map((counter) => [counter, from?.[counter] ?? 0])) as Counters;
}

function together(a: ReportedFigures, b: ReportedFigures): ReportedFigures {
  const stages = { ...a.stages };
  for (const [name, more] of Object.entries(b.stages)) {
    const sum = stages[name] ?? { completed: 0, failed: 0, retries: 0 };
    stages[name] = {
      ...more,
      completed: sum.completed + more.completed,
      failed: sum.failed + more.failed,
      retries: sum.retries + more.retries,
    };
  }
  const counters = Object.fromEntries(COUNTERS.map((counter) => [counter, a[counter] + b[counter]])) as Counters;
  return { ...counters, stages, tenants: withTenants(a.tenants, b.tenants) };
}

function withTenants(
  sums: Record<string, TenantTotals>,
  more: Record<string, TenantTotals>,
): Record<string, TenantTotals> {
  const all = { ...sums };
  for (const [tenant, totals] of Object.entries(more)) {
    const sum = all[tenant] ?? { submitted: 0, completed: 0, failed: 0, refused: 0 };
    all[tenant] = {
      submitted: sum.submitted + totals.submitted,
      completed: sum.completed + totals.completed,
      failed: sum.failed + totals.failed,
      refused: sum.refused + totals.refused,
    };
  }
  return all;
}
