import { resolve } from "node:path";
import { chromiumPlace, preferChromium } from "../chromium/find.ts";
import { poolNameProblems, poolOverride } from "../config/pools.ts";
import type { Config } from "../config.ts";
import { type Kind, Millrace, postgres, type Settings, sqlite } from "../index.ts";
import type { Log } from "../telemetry/log.ts";
import { chromiumKind, renderKind } from "../workloads/diagrams/service/kind.ts";
import { siteKind } from "../workloads/sites/kind.ts";
import { limitersOf } from "../workloads/sites/models/provider.ts";
import { FinishedRuns } from "../workloads/sites/runs.ts";
import { textKind } from "../workloads/text/kind.ts";
import { siteSettings } from "./site-settings.ts";

/** The kinds that ship. */
export function shippedKinds(config: Config): Kind[] {
  const { renderConcurrency: processors, renderSpares: spares, chromiumPath: path } = config;
  const { renderTimeoutMs: timeoutMs, renderMaxChars: maxChars, renderRetentionMs: retentionMs } = config;
  const drawing = { timeoutMs, maxChars, retentionMs };
  return [
    textKind(),
    renderKind({ processors, spares, ...drawing }),
    ...(hasChromium(config) ? [chromiumKind({ path, ...drawing })] : []),
    siteKind({ settings: siteSettings(config), earlier: finishedRuns.find }),
  ];
}

/** Whether diagrams can be drawn with a browser here. Nobody's diagram starts one on a server that was not told to. */
export function hasChromium({ renderChromium, chromiumPath }: Config): boolean {
  preferChromium(chromiumPath);
  return renderChromium && chromiumPlace() !== undefined;
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

/** A process has one engine; the site kind reads finished runs from it. */
const finishedRuns = new FinishedRuns();

/** The engine that the commands run. */
export async function openEngine(config: Config, options: EngineOptions): Promise<Millrace> {
  const engine = await Millrace.open({
    ...settingsOf(config, options.kinds),
    store: config.databaseUrl === undefined ? sqlite(config.jobDbPath) : postgres(config.databaseUrl),
    limiters: limitersOf(siteSettings(config).providers),
    ...(config.deployment !== undefined && { deployment: config.deployment }),
    ...options,
  });
  finishedRuns.readFrom(engine);
  return engine;
}

/** A pool variable that names no stage would be ignored in silence. */
export function poolProblems(config: Config, kinds: readonly Kind[]): string[] {
  const names = kinds.map((kind) => ({ name: kind.name, stages: kind.stages.map((stage) => stage.name) }));
  return poolNameProblems(config.pools, names);
}

/** Where a command's data is, for people. */
export function dataPlace(config: Config): string {
  return config.databaseUrl === undefined ? resolve(config.jobDbPath) : "PostgreSQL (DATABASE_URL)";
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
    maxSchedulesPerTenant: config.maxSchedulesPerTenant,
    tenantOverflow: config.tenantOverflow,
    jobKeepMax: config.jobKeepMax,
    dlqKeepMax: config.dlqKeepMax,
    sharedMaxBytes: config.cacheMaxBytes,
    sharedKeepMs: config.cacheTtlMs,
    queryTimeoutMs: config.queryTimeoutMs,
    durability: config.durability,
    pools: Object.fromEntries(
      kinds.flatMap((kind) =>
        kind.stages.map(({ name }) => [`${kind.name}/${name}`, poolOverride(config.pools, kind.name, name)]),
      ),
    ),
  };
}
