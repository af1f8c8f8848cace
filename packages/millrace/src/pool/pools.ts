import type { Events } from "../events/events.ts";
import type { Kind, Stage } from "../job/kind/kind.ts";
import type { AnyMiddleware } from "../job/kind/middleware.ts";
import { poolSettings } from "../job/kind/settings.ts";
import type { LossReason } from "../job/lease.ts";
import type { Settings } from "../job/options/settings.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import type { ProcessMetrics } from "../telemetry/figures/metrics.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { OnOutput } from "./child/output.ts";
import { Pool } from "./pool.ts";
import type { PoolView } from "./pool-view.ts";
import { PoolsReport } from "./pools-report.ts";
import { runnerFor } from "./run/runner-for.ts";
import { watchUncaught } from "./run/uncaught.ts";
import { SuspectGroup } from "./suspect-group.ts";

export interface PoolsOptions {
  /** Hears what isolated processors write, unless they are confined. */
  output: OnOutput;
  store: Store;
  settings: Settings;
  /** Middleware around the processors of all kinds, outside that of each kind. */
  use: readonly AnyMiddleware[];
  clock: Clock;
  log: Log;
  metrics: ProcessMetrics;
  events: Events;
  /** False: nothing happens by itself, and the test calls tick(). */
  timers: boolean;
  /** Called when all processors of a pool hang. */
  stuck(pool: string): void;
}

/** One pool with what it was made from. */
export interface PooledStage {
  readonly pool: Pool;
  readonly kind: Kind;
  readonly stage: Stage;
  readonly size: number;
}

const TICK_MS = 100;
/** A claim that a due moment brought is answered by then. */
const LOOK_AGAIN_MS = 10;

/** All pools of this process, and the one timer that keeps them going. */
export class Pools {
  readonly #pools: readonly PooledStage[];
  readonly #options: PoolsOptions;
  readonly #report: PoolsReport;
  #tickTimer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #expectedAt = Number.POSITIVE_INFINITY;
  #wokenFor = Number.NEGATIVE_INFINITY;
  #polledAt = 0;

  constructor(kinds: Kind[], options: PoolsOptions) {
    this.#options = options;
    const suspects = new SuspectGroup();
    this.#pools = kinds.flatMap((kind) => kind.stages.map((stage) => this.#make(kind, stage, suspects)));
    this.#report = new PoolsReport(this.#pools, options);
  }

  #make(kind: Kind, stage: Stage, suspects: SuspectGroup): PooledStage {
    const { store, settings, clock, log, events } = this.#options;
    const { size, timeoutMs, pace } = poolSettings(kind, stage, settings);
    const maxCrashes = kind.maxCrashes ?? settings.maxCrashes;
    const runner = runnerFor(kind, stage, { ...this.#options, onMended: () => pool.claimer.poke() });
    const shared = { kind, stage, size, store, clock, log, events };
    const pool: Pool = new Pool({ ...shared, timeoutMs, pace, runner, suspects, maxCrashes });
    return { pool, kind, stage, size };
  }

  start(): void {
    const { log, timers } = this.#options;
    for (const { pool, size } of this.#pools) log.info("pool started", { pool: pool.name, processors: size });
    this.#unwatch = watchUncaught();
    if (!timers) return;
    this.#tickTimer = setInterval(() => this.tick(), TICK_MS);
    this.#report.start();
    this.poke();
  }

  /** Looks for work, for one kind or for all. */
  poke(kind?: string): void {
    for (const each of this.#pools) if (kind === undefined || each.kind.name === kind) each.pool.claimer.poke();
  }

  /** Called ten times a second: deadlines, children, due jobs, and the poll that is the safety net under all wake-ups. */
  tick(): void {
    for (const { pool } of this.#pools) pool.tick();
    this.#report.tick();
    if (this.#options.timers) this.#wakeWhenDue();
    const now = this.#options.clock.monotonic();
    if (now - this.#polledAt < this.#options.settings.pollMs) return;
    this.#polledAt = now;
    this.poke();
  }

  /**
   * Makes the pools look again at this time, when a job that settled just now is due. The claim beside its settle may
   * not have seen it.
   */
  expect(at: number): void {
    this.#expectedAt = Math.min(this.#expectedAt, at);
    if (this.#options.timers) this.#wakeWhenDue();
  }

  /** Sets a timer, so that a job that is scheduled for a time between two polls starts on time. */
  #wakeWhenDue(): void {
    const { clock, settings } = this.#options;
    const dueAt = Math.min(this.#expectedAt, ...this.#moments());
    const inMs = Math.max(0, dueAt - clock.now());
    if (dueAt === this.#dueAt || inMs > Math.max(TICK_MS, settings.pollMs)) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#dueTimer);
    this.#dueTimer = setTimeout(() => this.#wakeDue(), inMs);
  }

  #wakeDue(): void {
    // A timer may fire a moment early, and a claim would not find the job.
    if (this.#dueAt > this.#options.clock.now()) {
      this.#dueTimer = setTimeout(() => this.#wakeDue(), 1);
      return;
    }
    const isFirst = this.#dueAt > this.#wokenFor;
    this.#wokenFor = this.#dueAt;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#expectedAt = Number.POSITIVE_INFINITY;
    for (const { pool } of this.#pools) pool.claimer.forgetNextAt();
    this.poke();
    // The database's clock may be behind the one that is computed here. Then the claim names this moment once more. If it does
    // so again and again, the tick is soon enough.
    if (isFirst) this.#dueTimer = setTimeout(() => this.#wakeWhenDue(), LOOK_AGAIN_MS);
  }

  /** Claims and does all work that may run now. Returns true if there was any. */
  async drain(): Promise<boolean> {
    const claimed = () => this.#pools.reduce((sum, { pool }) => sum + pool.claimer.claimed, 0);
    const before = claimed();
    const round = async () => {
      this.poke();
      await Promise.all(this.#pools.map(({ pool }) => pool.quiet()));
    };
    for (let last = -1; last !== claimed(); ) {
      last = claimed();
      await round();
    }
    // A claim that is under way while a job settles does not see its retry, so the last claim follows the last settle.
    await round();
    return claimed() > before;
  }

  /** Ends the attempt whose lease is gone, as the store says. */
  lose(jobId: string, token: number, reason: LossReason): void {
    const held = this.#pools.find(({ pool }) => pool.lose(jobId, token, reason));
    if (held) this.#options.metrics.lost(held.kind.name, held.stage.name);
  }

  async stop(options: { graceMs: number; hurry?: AbortSignal }): Promise<void> {
    clearTimeout(this.#dueTimer);
    // Deadlines also hold while running work finishes, so the tick goes on until all pools have stopped.
    await Promise.all(this.#pools.map(({ pool }) => pool.stop(options)));
    this.#unwatch?.();
    clearInterval(this.#tickTimer);
    this.#report.stop();
  }

  /** When the next scheduled job may run, as the store last said. */
  get nextAt(): number | undefined {
    const moments = this.#moments();
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }

  #moments(): number[] {
    return this.#pools.map(({ pool }) => pool.claimer.nextAt).filter((at) => at !== undefined);
  }

  get busyCount(): number {
    return this.#pools.reduce((sum, { pool }) => sum + pool.busyCount, 0);
  }

  views(): PoolView[] {
    return this.#report.views();
  }

  /** What keeps a pool from working, in sentences. */
  problems(): string[] {
    return this.#pools.map(({ pool }) => pool.problem).filter((problem) => problem !== undefined);
  }

  /** Why work waits here, though nothing is wrong with any pool. */
  delays(): string[] {
    return this.#pools.map(({ pool }) => pool.delay).filter((delay) => delay !== undefined);
  }
}
