import { resolve } from "node:path";
import { poolNameProblems, poolOverride } from "../config/pools.ts";
import type { Config } from "../config.ts";
import { type Kind, Millrace, postgres, type Settings, sqlite } from "../index.ts";
import type { Log } from "../telemetry/log/log.ts";
import { limitersOfAll, startAll, stopAll } from "../workload/compose.ts";
import type { Workload } from "../workload/workload.ts";

export interface EngineOptions {
  readonly log: Log;
  readonly kinds: readonly Kind[];
  /** False: this process has no pools. */
  readonly work: boolean;
  /** False: nothing happens by itself. */
  readonly timers?: boolean;
  /** Called when the engine cannot go on, and its supervisor must start it again. */
  readonly onFatal?: (error: Error) => void;
}

/** The engine that the commands run. Its workloads start with it and stop with it. */
export async function openEngine(
  config: Config,
  { workloads = [], ...options }: EngineOptions & { readonly workloads?: readonly Workload[] },
): Promise<Millrace> {
  const engine = await Millrace.open({
    ...settingsOf(config, options.kinds),
    store: config.databaseUrl === undefined ? sqlite(config.jobDbPath) : postgres(config.databaseUrl),
    limiters: await limitersOfAll(workloads, config),
    ...(config.deployment !== undefined && { deployment: config.deployment }),
    ...options,
  });
  await startAll(workloads, config, { engine, log: options.log });
  const stop = engine.stop.bind(engine);
  engine.stop = async (stopping) => {
    await stop(stopping);
    await stopAll(workloads);
  };
  return engine;
}

/** A pool variable that names no stage would be ignored in silence. */
export function poolProblems(config: Config, kinds: readonly Kind[]): string[] {
  const names = kinds.map((kind) => ({ name: kind.name, stages: kind.stages.map((stage) => stage.name) }));
  return poolNameProblems(config.pools, names);
}

/** The location of a command's data, for people. */
export function dataLocation(config: Config): string {
  return config.databaseUrl === undefined ? resolve(config.jobDbPath) : "PostgreSQL (DATABASE_URL)";
}

/** The engine's settings from those of the environment. The reference reads the names of both from it. */
export function settingsOf(config: Config, kinds: readonly Kind[]): Settings {
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
    maxSchedulesPerTenant: config.maxSchedulesPerTenant,
    maxChildDepth: config.maxChildDepth,
    maxChildren: config.maxChildren,
    maxTreeJobs: config.maxTreeJobs,
    maxEventsPerTenant: config.maxEventsPerTenant,
    maxOpenBatchesPerTenant: config.maxOpenBatchesPerTenant,
    tenantOverflow: config.tenantOverflow,
    jobKeepMax: config.jobKeepMax,
    dlqKeepMax: config.dlqKeepMax,
    sharedMaxBytes: config.cacheMaxBytes,
    sharedKeepMs: config.cacheTtlMs,
    maxStreamBytesPerJob: config.maxStreamBytesPerJob,
    maxStreamBytesPerTenant: config.maxStreamBytesPerTenant,
    queryTimeoutMs: config.queryTimeoutMs,
    lockTimeoutMs: config.lockTimeoutMs,
    durability: config.durability,
    pools: Object.fromEntries(
      kinds.flatMap((kind) =>
        kind.stages.map(({ name }) => [`${kind.name}/${name}`, poolOverride(config.pools, kind.name, name)]),
      ),
    ),
  };
}
