import { poolNameProblems, poolOverride } from "../config/pools.ts";
import type { Config } from "../config.ts";
import { type Kind, Millrace, type Settings, sqlite } from "../index.ts";
import type { Log } from "../telemetry/log.ts";
import { textKind } from "../workloads/text/kind.ts";

/** The kinds that ship. */
export const KINDS: readonly Kind[] = [textKind()];

/** The engine that `serve` runs. `onFatal`: it cannot go on, and its supervisor must start it again. */
export function openEngine(config: Config, log: Log, onFatal: (error: Error) => void): Promise<Millrace> {
  return Millrace.open({ ...settingsOf(config), store: sqlite(config.jobDbPath), kinds: KINDS, log, onFatal });
}

/** A pool variable that names no stage would be ignored in silence. */
export function poolProblems(config: Config): string[] {
  const names = KINDS.map((kind) => ({ name: kind.name, stages: kind.stages.map((stage) => stage.name) }));
  return poolNameProblems(config.pools, names);
}

function settingsOf(config: Config): Settings {
  return {
    processors: config.workerConcurrency,
    pollMs: config.pollMs,
    leaseMs: config.leaseMs,
    maxAttempts: config.maxAttempts,
    maxCrashes: config.maxCrashes,
    retryBaseMs: config.retryBaseMs,
    retryMaxMs: config.retryMaxMs,
    timeoutMs: config.stuckAfterMs,
    finishedRetentionMs: config.jobRetentionMs,
    deadLetterRetentionMs: config.dlqRetentionMs,
    cleanupIntervalMs: config.jobCleanupIntervalMs,
    healthIntervalMs: config.healthIntervalMs,
    shutdownGraceMs: config.shutdownGraceMs,
    queueMax: config.queueMax,
    maxNewJobsPerMinute: config.maxNewJobsPerMinute,
    maxConcurrentPerTenant: config.maxConcurrentPerTenant,
    tenantOverflow: config.tenantOverflow,
    jobKeepMax: config.jobKeepMax,
    dlqKeepMax: config.dlqKeepMax,
    durability: config.durability,
    pools: Object.fromEntries(
      KINDS.flatMap((kind) =>
        kind.stages.map(({ name }) => [`${kind.name}/${name}`, poolOverride(config.pools, kind.name, name)]),
      ),
    ),
  };
}
