import type { KindCounts } from "../store/store.ts";
import type { Percentiles } from "./histogram.ts";
import type { Metrics } from "./metrics.ts";
import type { TenantTotals } from "./tenant-figures.ts";

/** What is asked of others at the moment somebody looks. */
export interface Surroundings {
  kinds: KindCounts[];
  /** Of this process. */
  pools: { kind: string; stage: string; processors: { state: "idle" | "busy" | "error" }[] }[];
  size: { databaseBytes: number; walBytes: number };
  /** `kind/stage` with work that no living process serves. */
  unserved: string[];
}

export interface StageView {
  queueSize: number;
  processors: { idle: number; busy: number; error: number };
  waitMs: Percentiles;
  runMs: Percentiles;
  successRate: number | null;
  retries: number;
  completed: number;
  failed: number;
}

/** How many jobs stand where is true of the whole store; what was counted and measured is of this process. */
export interface MetricsView {
  jobsSubmitted: number;
  jobsCompleted: number;
  jobsFailed: number;
  jobsCancelled: number;
  attemptsFailed: number;
  submissionsRefused: number;
  leasesExpired: number;
  pending: number;
  running: number;
  done: number;
  failed: number;
  dlq: number;
  perStage: Record<string, StageView>;
  perTenant: Record<string, TenantTotals>;
  eventLoopDelayMs: Percentiles;
  database: { databaseBytes: number; walBytes: number };
  process: { rssBytes: number; uptimeSeconds: number };
  unserved: string[];
}

export function metricsView(metrics: Metrics, around: Surroundings): MetricsView {
  const { kinds, size, unserved } = around;
  const all = kinds.flatMap(({ stages }) => stages.map(({ counts }) => counts));
  const total = (count: (counts: (typeof all)[number]) => number) => all.reduce((sum, each) => sum + count(each), 0);
  const { jobsSubmitted, jobsCompleted, jobsFailed, jobsCancelled } = metrics;
  const { attemptsFailed, submissionsRefused, leasesExpired } = metrics;
  return {
    jobsSubmitted,
    jobsCompleted,
    jobsFailed,
    jobsCancelled,
    attemptsFailed,
    submissionsRefused,
    leasesExpired,
    pending: total(({ scheduled, ready, suspect, held }) => scheduled + ready + suspect + held),
    running: total(({ running }) => running),
    done: total(({ completed }) => completed),
    failed: total(({ failed, rejected }) => failed + rejected),
    dlq: total(({ failed }) => failed),
    perStage: Object.fromEntries(
      kinds.flatMap(({ kind, stages }) =>
        stages.map(({ stage, counts }) => [`${kind}/${stage}`, stageView(metrics, around, kind, stage, counts)]),
      ),
    ),
    perTenant: Object.fromEntries(metrics.tenants.view()),
    eventLoopDelayMs: metrics.loopDelay.percentiles(),
    database: size,
    process: { rssBytes: process.memoryUsage.rss(), uptimeSeconds: process.uptime() },
    unserved,
  };
}

function stageView(
  metrics: Metrics,
  { pools }: Surroundings,
  kind: string,
  stage: string,
  counts: KindCounts["stages"][number]["counts"],
): StageView {
  const figures = metrics.stage(kind, stage);
  return {
    queueSize: queueSize(counts),
    processors: processorsOf(pools, kind, stage),
    waitMs: figures.wait.percentiles(),
    runMs: figures.run.percentiles(),
    successRate: figures.successRate,
    retries: figures.retries,
    completed: figures.completed,
    failed: figures.deadLetters + figures.rejected,
  };
}

/** Due and waiting for a processor. */
export function queueSize({ ready, suspect }: KindCounts["stages"][number]["counts"]): number {
  return ready + suspect;
}

export function processorsOf(pools: Surroundings["pools"], kind: string, stage: string): StageView["processors"] {
  const by = { idle: 0, busy: 0, error: 0 };
  for (const pool of pools) {
    if (pool.kind === kind && pool.stage === stage) for (const { state } of pool.processors) by[state]++;
  }
  return by;
}
