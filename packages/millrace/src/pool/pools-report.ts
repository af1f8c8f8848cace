import type { Events } from "../events/events.ts";
import type { Settings } from "../job/options/settings.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Store } from "../store/store.ts";
import { figuresToTell } from "../telemetry/figures/all-processes.ts";
import type { ProcessMetrics } from "../telemetry/figures/metrics.ts";
import type { Log } from "../telemetry/log/log.ts";
import { healthLine } from "./health.ts";
import type { PoolView } from "./pool-view.ts";
import type { PooledStage } from "./pools.ts";

export interface PoolsReportOptions {
  store: Store;
  settings: Settings;
  events: Events;
  metrics: ProcessMetrics;
  log: Log;
  stuck(pool: string): void;
}

/** Tells what the pools of this process do: the live feed, the log, and other processes through the store. */
export class PoolsReport {
  readonly #pools: readonly PooledStage[];
  readonly #options: PoolsReportOptions;
  /** The last event of each pool in the live feed, by the name of the pool. */
  readonly #told = new Map<string, string>();
  readonly #stuck = new Set<string>();
  #timers: NodeJS.Timeout[] = [];

  constructor(pools: readonly PooledStage[], options: PoolsReportOptions) {
    this.#pools = pools;
    this.#options = options;
  }

  start(): void {
    const { settings } = this.#options;
    this.#timers = [
      setInterval(() => void this.#logHealth(), settings.healthIntervalMs),
      setInterval(() => void this.#tellStore(), Math.max(1_000, settings.leaseMs / 3)),
    ];
    void this.#tellStore();
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  tick(): void {
    for (const each of this.#pools) this.#tellStuck(each);
    if (this.#options.events.hasFeed) for (const each of this.#pools) this.#tellFeed(each);
  }

  views(): PoolView[] {
    return this.#pools.map(({ pool, kind, stage, size }) => ({
      pool: pool.name,
      kind: kind.name,
      stage: stage.name,
      size,
      processors: pool.processors(),
    }));
  }

  #tellStuck({ pool: { name, isStuck } }: PooledStage): void {
    if (!isStuck) this.#stuck.delete(name);
    else if (!this.#stuck.has(name)) {
      this.#stuck.add(name);
      this.#options.stuck(name);
    }
  }

  /** At most ten times a second for each pool, however many jobs it takes. */
  #tellFeed({ pool, kind, stage, size }: PooledStage): void {
    const { busyCount: busy, errorCount: error, problem } = pool;
    const state = `${busy} ${error} ${problem ?? ""}`;
    if (state === (this.#told.get(pool.name) ?? "0 0 ")) return;
    this.#told.set(pool.name, state);
    const about = { kind: kind.name, stage: stage.name, size, busy, error };
    this.#options.events.emit({ type: "pool", ...about, ...(problem !== undefined && { problem }) });
  }

  async #logHealth(): Promise<void> {
    const { store, log } = this.#options;
    try {
      log.info("health", healthLine(this.views(), await store.kinds()));
    } catch (error) {
      log.error("health check failed", { error: messageOf(error) });
    }
  }

  /** What this process's processors do and did, for other processes on the same store. */
  async #tellStore(): Promise<void> {
    const { store, metrics, log } = this.#options;
    try {
      const [first, ...rest] = this.views();
      const views = first ? [{ ...first, told: figuresToTell(metrics) }, ...rest] : [];
      await store.beat(JSON.stringify(views));
    } catch (error) {
      log.warn("could not report pools", { error: messageOf(error) });
    }
  }
}
