import { poolNameProblems, poolOverride } from "../config/pools.ts";
import type { Config } from "../config.ts";
import { type Kind, Millrace, type Settings, sqlite } from "../index.ts";
import type { Log } from "../telemetry/log.ts";
import { chromiumPlace, useChromium } from "../workloads/diagrams/chromium/find.ts";
import { chromiumKind, renderKind } from "../workloads/diagrams/service/kind.ts";
import { textKind } from "../workloads/text/kind.ts";

/** The kinds that ship. */
export function shippedKinds(config: Config): Kind[] {
  const { renderConcurrency: processors, chromiumPath: path } = config;
  const drawing = { timeoutMs: config.renderTimeoutMs, maxChars: config.renderMaxChars };
  const withBrowser = path !== undefined && hasChromium(config) ? [chromiumKind({ path, ...drawing })] : [];
  return [textKind(), renderKind({ processors, ...drawing }), ...withBrowser];
}

/** Whether diagrams can be drawn with a browser here. Nobody's diagram starts one on a server that was not told to. */
export function hasChromium({ chromiumPath }: Config): boolean {
  useChromium(chromiumPath);
  return chromiumPath !== undefined && chromiumPlace() !== undefined;
}

export interface EngineOptions {
  readonly log: Log;
  readonly kinds: readonly Kind[];
  /** false: no pools here. */
  readonly work: boolean;
  /** false: nothing happens by itself. */
  readonly timers?: boolean;
  /** It cannot go on, and its supervisor must start it again. */
  readonly onFatal?: (error: Error) => void;
}

/** The engine that the commands run. */
export function openEngine(config: Config, options: EngineOptions): Promise<Millrace> {
  return Millrace.open({ ...settingsOf(config, options.kinds), store: sqlite(config.jobDbPath), ...options });
}

/** A pool variable that names no stage would be ignored in silence. */
export function poolProblems(config: Config, kinds: readonly Kind[]): string[] {
  const names = kinds.map((kind) => ({ name: kind.name, stages: kind.stages.map((stage) => stage.name) }));
  return poolNameProblems(config.pools, names);
}

function settingsOf(config: Config, kinds: readonly Kind[]): Settings {
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
    sharedMaxBytes: config.cacheMaxBytes,
    sharedKeepMs: config.cacheTtlMs,
    durability: config.durability,
    pools: Object.fromEntries(
      kinds.flatMap((kind) =>
        kind.stages.map(({ name }) => [`${kind.name}/${name}`, poolOverride(config.pools, kind.name, name)]),
      ),
    ),
  };
}
