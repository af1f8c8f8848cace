import type { Kind, Stage } from "./kind.ts";
import type { KindPlan, Pace } from "./plan.ts";

/**
 * How the engine behaves where a kind does not set its own value. Pass any of them to `Millrace.open()`. A server reads
 * them from the environment instead.
 */
export interface Settings {
  /** The number of processors in each pool, 1 to 10,000. A stage's own `processors` comes first. Default: 10. */
  processors: number;
  /**
   * How often to look for work that no signal announced, in milliseconds. A safety net: work normally starts at once.
   * Default: 100; 1,000 on PostgreSQL.
   */
  pollMs: number;
  /**
   * How long the jobs of a process that stopped responding stay its own, in milliseconds, 100 to 86,400,000. After that
   * they run again elsewhere. Default: 15,000.
   */
  leaseMs: number;
  /** Attempts that a stage gets before its job fails, including the first, 1 to 1,000. Default: 3. */
  maxAttempts: number;
  /**
   * How often a stage of a job may take its process down before the job can become a dead letter, 1 to 1,000. At twice
   * this number it becomes one without further proof. Default: 3.
   */
  maxCrashes: number;
  /**
   * The longest pause before the first retry, in milliseconds. It doubles for each further retry; the actual pause is a
   * random part of it. Default: 1,000.
   */
  retryBaseMs: number;
  /** The longest pause before any retry, in milliseconds. Default: 300,000, 5 minutes. */
  retryMaxMs: number;
  /** How long one attempt may take where its stage sets no timeout, in milliseconds. Default: 300,000, 5 minutes. */
  timeoutMs: number;
  /**
   * How long a completed or cancelled job is kept, in milliseconds. A kind's `retention` comes first. Default:
   * 604,800,000, 7 days.
   */
  finishedRetentionMs: number;
  /** How long a failed job (a dead letter) is kept, in milliseconds. Default: 2,592,000,000, 30 days. */
  deadLetterRetentionMs: number;
  /** The pause between two deletions of expired jobs, in milliseconds. Default: 60,000. */
  cleanupIntervalMs: number;
  /** The pause between two health checks, in milliseconds. Default: 30,000. */
  healthIntervalMs: number;
  /** How long `stop()` lets running attempts finish before it hands them back, in milliseconds. Default: 10,000. */
  shutdownGraceMs: number;
  /** Due pending jobs per stage before submissions are refused with `backpressure`; 0 means no limit. Default: 0. */
  queueMax: number;
  /** Jobs that one tenant may submit in any minute; 0 means no limit. Default: 0. */
  maxNewJobsPerMinute: number;
  /** Jobs of one tenant that run at the same time, across all processes; 0 means no limit. Default: 0. */
  maxConcurrentPerTenant: number;
  /**
   * What happens to a submission of a tenant that has reached `maxConcurrentPerTenant`: "reject" refuses it with
   * `tenant-busy`, "queue" accepts it and lets it wait. Default: "reject".
   */
  tenantOverflow: "reject" | "queue";
  /** Schedules that one tenant may have; 0 means no limit. Default: 1,000. */
  maxSchedulesPerTenant: number;
  /**
   * Finished jobs that are kept; 0 means no limit. Beyond it, the jobs that would expire first are deleted. Default:
   * 1,000,000.
   */
  jobKeepMax: number;
  /** Dead letters that are kept, the newest; 0 means no limit. Default: 0. */
  dlqKeepMax: number;
  /**
   * Room for shared artifacts, in bytes; 0 means no limit. Beyond it, artifacts that were not read for the longest time
   * go first, but none that a kept job refers to. Default: 1,073,741,824, 1 GiB.
   */
  sharedMaxBytes: number;
  /**
   * How long a shared artifact that no kept job refers to is kept after it was last read, in milliseconds; 0 means no
   * limit. Default: 2,592,000,000, 30 days.
   */
  sharedKeepMs: number;
  /**
   * How long a list or a search may take, including its wait for a turn, in milliseconds; 0 means no limit. Default:
   * 10,000.
   */
  queryTimeoutMs: number;
  /**
   * "full": an accepted job survives a power cut. "normal": it survives a crash of the process, and writes cost less.
   * Default: "full".
   */
  durability: "full" | "normal";
  /**
   * What an operator sets for single stages, keyed by `kind/stage`. It takes precedence over the code of the kind.
   * Default: none.
   */
  pools: Record<
    string,
    {
      /** The number of processors. */
      size?: number;
      /** How long one attempt may take, in milliseconds. */
      timeoutMs?: number;
      /** The most starts in a period, across all processes. */
      pace?: Pace;
    }
  >;
}

const DAY_MS = 86_400_000;

/** The default of every setting, as `Millrace.open()` uses it. `pollMs` is 1,000 on PostgreSQL. */
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
    limits: { queueMax: settings.queueMax, maxConcurrentPerTenant: settings.maxConcurrentPerTenant },
    stages: kind.stages.map((stage) => ({
      name: stage.name,
      ...(stage.renamedFrom && { renamedFrom: stage.renamedFrom }),
      ...claimSettings(kind, stage, settings),
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

function claimSettings(kind: Kind, stage: Stage, settings: Settings) {
  const { size, pace } = poolSettings(kind, stage, settings);
  return { processors: size, ...(pace && { pace }) };
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
