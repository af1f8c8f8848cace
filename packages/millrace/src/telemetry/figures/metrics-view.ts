import type { KindCounts } from "../../store/verbs/processes.ts";
import type { Percentiles } from "./histogram.ts";
import type { ProcessMetrics } from "./metrics.ts";
import type { TenantTotals } from "./tenant-figures.ts";
import type { WaitingView } from "./waiting.ts";

/** Values that are read from other parts when the metrics are requested. */
export interface MetricsSources {
  kinds: KindCounts[];
  /** The pools of this process. */
  pools: { kind: string; stage: string; processors: { state: "idle" | "busy" | "error" }[] }[];
  size: { databaseBytes: number; walBytes: number };
  /** Stages with work that no living process serves, as `kind/stage`. */
  unserved: string[];
  waiting: WaitingView;
}

/** The figures of one stage. */
export interface StageView {
  /** Due jobs that wait for a processor. */
  queueSize: number;
  /** The processors of the stage by state. */
  processors: {
    /** Processors that wait for a job. */
    idle: number;
    /** Processors that work. */
    busy: number;
    /** Processors that hang, or whose module does not load. */
    error: number;
  };
  /** How long jobs waited for a processor, in milliseconds. */
  waitMs: Percentiles;
  /** How long attempts took, in milliseconds. */
  runMs: Percentiles;
  /** The share of recent attempts that succeeded, 0 to 1. `null` before the first. */
  successRate: number | null;
  /** Attempts that failed and were retried. */
  retries: number;
  /** Attempts that completed. */
  completed: number;
  /** Jobs that failed in this stage. */
  failed: number;
}

/**
 * The figures of `millrace.metrics()`. Counts of jobs (`pending` to `dlq`) are those of the whole store; everything
 * else is counted in this process since it started.
 */
export interface MetricsView {
  /** Jobs that were submitted. */
  jobsSubmitted: number;
  /** Jobs that completed. */
  jobsCompleted: number;
  /** Jobs that failed. */
  jobsFailed: number;
  /** Jobs that were cancelled. */
  jobsCancelled: number;
  /** Attempts that failed. */
  attemptsFailed: number;
  /** Submissions that were refused because of a limit or a conflict. */
  submissionsRefused: number;
  /** Jobs that were taken back from a process that stopped responding. */
  leasesExpired: number;
  /** Jobs that wait. */
  pending: number;
  /** The same jobs by why they do not run. Each counts once, by the first reason that fits. */
  waiting: WaitingView;
  /** Jobs that run. */
  running: number;
  /** Jobs that completed and are still kept. */
  done: number;
  /** Jobs that failed and are still kept, including rejected ones. */
  failed: number;
  /** Dead letters. */
  dlq: number;
  /** The figures of each stage, by `kind/stage`. */
  perStage: Record<string, StageView>;
  /** Submitted, completed, failed and refused jobs, by tenant. */
  perTenant: Record<string, TenantTotals>;
  /** How late the event loop of this process is, in milliseconds. */
  eventLoopDelayMs: Percentiles;
  /** The size of the database, and of the write-ahead log on SQLite, in bytes. */
  database: {
    /** The size of the database, in bytes. */
    databaseBytes: number;
    /** The size of the write-ahead log, in bytes. */
    walBytes: number;
  };
  /** The memory of this process in bytes, and its age in seconds. */
  process: {
    /** The resident memory, in bytes. */
    rssBytes: number;
    /** How long the process has run, in seconds. */
    uptimeSeconds: number;
  };
  /** Stages with waiting jobs that no living process serves, as `kind/stage`. */
  unserved: string[];
}

export function metricsView(metrics: ProcessMetrics, around: MetricsSources): MetricsView {
  const { kinds, size, unserved, waiting } = around;
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
    // The sum of the values beside it, read at the same moment.
    pending: Object.values(waiting).reduce((sum, count) => sum + count, 0),
    waiting,
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
  metrics: ProcessMetrics,
  { pools }: MetricsSources,
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

/** The jobs that are due and wait for a processor. */
export function queueSize({ ready, suspect }: KindCounts["stages"][number]["counts"]): number {
  return ready + suspect;
}

export function processorsOf(pools: MetricsSources["pools"], kind: string, stage: string): StageView["processors"] {
  const by = { idle: 0, busy: 0, error: 0 };
  for (const pool of pools) {
    if (pool.kind === kind && pool.stage === stage) for (const { state } of pool.processors) by[state]++;
  }
  return by;
}
