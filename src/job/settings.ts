import type { Kind, Stage } from "./kind.ts";
import type { KindPlan, Pace } from "./plan.ts";

/** How the engine behaves where a kind does not say otherwise. The embedded defaults; a server's come from its config. */
export interface Settings {
  /** Processors per pool. */
  processors: number;
  pollMs: number;
  leaseMs: number;
  maxAttempts: number;
  maxCrashes: number;
  retryBaseMs: number;
  retryMaxMs: number;
  timeoutMs: number;
  /** How long a finished job is kept: 7 days. A kind's `retention` comes first. */
  finishedRetentionMs: number;
  /** How long a dead letter is kept: 30 days. */
  deadLetterRetentionMs: number;
  cleanupIntervalMs: number;
  healthIntervalMs: number;
  shutdownGraceMs: number;
  queueMax: number;
  maxNewJobsPerMinute: number;
  maxConcurrentPerTenant: number;
  tenantOverflow: "reject" | "queue";
  maxSchedulesPerTenant: number;
  /** Finished jobs kept at most: 1 million; 0 = no bound. Beyond it, the jobs that would be deleted soonest go first. */
  jobKeepMax: number;
  /** The same for dead letters: no bound. */
  dlqKeepMax: number;
  /** Room for shared artifacts, and how long one is kept that nobody reads. */
  sharedMaxBytes: number;
  sharedKeepMs: number;
  /** How long a list or a search may take, its wait for a turn included; 0 is no limit. Default: 10,000. */
  queryTimeoutMs: number;
  durability: "full" | "normal";
  /** By `kind/stage`: what an operator sets over what the code says. */
  pools: Record<string, { size?: number; timeoutMs?: number; pace?: Pace }>;
}

const DAY_MS = 86_400_000;

export const DEFAULTS: Settings = {
  processors: 10,
  pollMs: 100,
  leaseMs: 15_000,
  maxAttempts: 3,
  maxCrashes: 3,
  retryBaseMs: 1_000,
  retryMaxMs: 300_000,
  timeoutMs: 300_000,
  finishedRetentionMs: 7 * DAY_MS,
  deadLetterRetentionMs: 30 * DAY_MS,
  cleanupIntervalMs: 60_000,
  healthIntervalMs: 30_000,
  shutdownGraceMs: 10_000,
  queueMax: 0,
  maxNewJobsPerMinute: 0,
  maxConcurrentPerTenant: 0,
  tenantOverflow: "reject",
  maxSchedulesPerTenant: 1_000,
  jobKeepMax: 1_000_000,
  dlqKeepMax: 0,
  sharedMaxBytes: 1024 ** 3,
  sharedKeepMs: 30 * DAY_MS,
  queryTimeoutMs: 10_000,
  durability: "full",
  pools: {},
};

export function planOf(kind: Kind, settings: Settings): KindPlan {
  return {
    name: kind.name,
    ...(kind.pinned && { pinned: true }),
    stages: kind.stages.map((stage) => ({
      name: stage.name,
      ...(stage.renamedFrom && { renamedFrom: stage.renamedFrom }),
      maxAttempts: stage.maxAttempts ?? settings.maxAttempts,
      maxCrashes: kind.maxCrashes ?? settings.maxCrashes,
      retry: {
        baseMs: stage.retry?.baseMs ?? settings.retryBaseMs,
        maxMs: stage.retry?.maxMs ?? settings.retryMaxMs,
      },
    })),
    retention: {
      finishedMs: kind.keep === "none" ? "none" : (kind.retention.finishedMs ?? settings.finishedRetentionMs),
      deadLetterMs: kind.retention.deadLetterMs ?? settings.deadLetterRetentionMs,
      ...(kind.inputFailures.length > 0 && { inputFailures: [...kind.inputFailures] }),
    },
  };
}

/** An operator's setting goes before the code's, the code's before the default. */
export function poolSettings(kind: Kind, stage: Stage, settings: Settings) {
  const set = settings.pools[`${kind.name}/${stage.name}`] ?? {};
  return {
    size: set.size ?? stage.processors ?? settings.processors,
    timeoutMs: set.timeoutMs ?? stage.timeoutMs ?? settings.timeoutMs,
    pace: set.pace ?? stage.pace,
  };
}
