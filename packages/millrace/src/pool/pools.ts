import type { Standing } from "../job/job.ts";
import type { Kind, Stage } from "../job/kind/kind.ts";
import type { AnyMiddleware } from "../job/kind/middleware.ts";
import { poolSettings, type Settings } from "../job/kind/settings.ts";
import type { ClaimedJob, LossReason } from "../job/lease.ts";
import { claimedSubject, type JobNews } from "../job/report/job-news.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Note, Store } from "../store/store.ts";
import { figuresToTell, type ToldFigures } from "../telemetry/figures/all-processes.ts";
import type { Metrics } from "../telemetry/figures/metrics.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { OnOutput } from "./child/output.ts";
import { ChildRunner } from "./child/runner.ts";
import { healthLine } from "./health.ts";
import { InlineRunner } from "./inline-runner.ts";
import { withMiddleware } from "./middleware.ts";
import { Pool, type SettledEvent } from "./pool.ts";
import type { ProcessorView } from "./processor.ts";
import { newsOfSettle } from "./settle-news.ts";
import { SuspectGroup } from "./suspect-group.ts";
import { watchUncaught } from "./uncaught.ts";

export interface PoolsOptions {
  /** Hears what isolated processors write, unless they are confined. */
  output: OnOutput;
  store: Store;
  settings: Settings;
  /** Around the processors of all kinds, outside that of each. */
  use: readonly AnyMiddleware[];
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** false: nothing happens by itself; whoever tests calls tick(). */
  timers: boolean;
  changes: Listened;
  /** `forgotten`: the job is in the store no more, so this is the last that is known of it. */
  settled(jobId: string, forgotten?: SettledEvent): void;
  stuck(pool: string): void;
}

/** Who wants to hear of jobs that move, and of pools. */
export interface Listened {
  readonly heard: boolean;
  tell(change: Moved | PoolMoved, news?: () => JobNews[]): void;
  claimed(change: Moved, news: () => JobNews[]): void;
  report(news: () => JobNews[]): void;
}

interface Moved {
  type: "job";
  jobId: string;
  tenant: string;
  kind: string;
  stage: string;
  standing: Standing;
}

interface PoolMoved {
  type: "pool";
  kind: string;
  stage: string;
  size: number;
  busy: number;
  error: number;
  problem?: string;
}

/** The processors of one stage in one process. */
export interface PoolView {
  /** The name of the pool: `kind/stage`. */
  pool: string;
  /** The kind. */
  kind: string;
  /** The stage. */
  stage: string;
  /** The number of processors. */
  size: number;
  /** Each processor with what it does. */
  processors: ProcessorView[];
  /** @internal The figures of the whole process, for other processes. */
  told?: ToldFigures;
}

const TICK_MS = 100;

/** All pools of this process, and the one timer that keeps them going. */
export class Pools {
  readonly #pools: { pool: Pool; kind: Kind; stage: Stage; size: number; told: string }[] = [];
  readonly #options: PoolsOptions;
  #timers: NodeJS.Timeout[] = [];
  #dueTimer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #polledAt = 0;

  constructor(kinds: Kind[], options: PoolsOptions) {
    this.#options = options;
    const suspects = new SuspectGroup();
    for (const kind of kinds) for (const stage of kind.stages) this.#add(kind, stage, suspects);
  }

  #add(kind: Kind, stage: Stage, suspects: SuspectGroup): void {
    const { store, settings, clock, log, output, timers } = this.#options;
    const { size, timeoutMs, pace } = poolSettings(kind, stage, settings);
    const { work } = stage;
    const names = { kind: kind.name, stage: stage.name };
    const onNote = (job: ClaimedJob, note: Note) => this.#noted(names, job, note);
    const use = [...this.#options.use, ...kind.use, ...(stage.use ?? [])];
    const runner =
      work.in === "process"
        ? new ChildRunner({
            kind,
            stage,
            module: work.module,
            store,
            log,
            output,
            isWaitedFor: timers,
            use,
            onNote,
            onMended: () => pool.poke(),
          })
        : new InlineRunner({ kind, stage, run: withMiddleware(use, work.run), store, onNote });
    const pool: Pool = new Pool({
      kind,
      stage,
      size,
      timeoutMs,
      pace,
      store,
      runner,
      suspects,
      maxCrashes: kind.maxCrashes ?? settings.maxCrashes,
      clock,
      log,
      events: {
        claimed: (jobs) => this.#claimed(kind.name, stage.name, jobs),
        settled: (event) => this.#settled(event),
        noted: onNote,
        stuck: this.#options.stuck,
      },
    });
    this.#pools.push({ pool, kind, stage, size, told: "0 0 " });
  }

  start(): void {
    const { settings, log } = this.#options;
    for (const { pool, size } of this.#pools) log.info("pool started", { pool: pool.name, processors: size });
    this.#unwatch = watchUncaught();
    if (!this.#options.timers) return;
    this.#timers = [
      setInterval(() => this.tick(), TICK_MS),
      setInterval(() => void this.#checkHealth(), settings.healthIntervalMs),
      setInterval(() => void this.#tellStore(), Math.max(1_000, settings.leaseMs / 3)),
    ];
    void this.#tellStore();
    this.poke();
  }

  /** There may be work, for one kind or for all. */
  poke(kind?: string): void {
    for (const each of this.#pools) if (kind === undefined || each.kind.name === kind) each.pool.poke();
  }

  /** Claims and works off what may run now; true if there was any. */
  async drain(): Promise<boolean> {
    const claimed = () => this.#pools.reduce((sum, { pool }) => sum + pool.claimed, 0);
    const before = claimed();
    const round = async () => {
      this.poke();
      await Promise.all(this.#pools.map(({ pool }) => pool.quiet()));
    };
    for (let last = -1; last !== claimed(); ) {
      last = claimed();
      await round();
    }
    // A claim under way while a job settles knows nothing of its retry; the last one is asked when all is settled.
    await round();
    return claimed() > before;
  }

  /** When the next scheduled job may run, as the store last said. */
  get nextAt(): number | undefined {
    const moments = this.#pools.map(({ pool }) => pool.nextAt).filter((at) => at !== undefined);
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }

  get busyCount(): number {
    return this.#pools.reduce((sum, { pool }) => sum + pool.busyCount, 0);
  }

  lose(jobId: string, token: number, reason: LossReason): void {
    const held = this.#pools.find(({ pool }) => pool.lose(jobId, token, reason));
    if (held) this.#options.metrics.lost(held.kind.name, held.stage.name);
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

  /** What keeps a pool from working, in sentences. */
  problems(): string[] {
    return this.#pools.map(({ pool }) => pool.problem).filter((problem) => problem !== undefined);
  }

  /** Why work waits here, though every pool is sound. */
  delays(): string[] {
    return this.#pools.map(({ pool }) => pool.delay).filter((delay) => delay !== undefined);
  }

  async stop(options: { graceMs: number; hurry?: AbortSignal }): Promise<void> {
    clearTimeout(this.#dueTimer);
    // Deadlines hold during the drain as well, so the tick goes on; polling has ended, since nobody claims.
    await Promise.all(this.#pools.map(({ pool }) => pool.stop(options)));
    this.#unwatch?.();
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** Polls are the safety net; deadlines, children and due jobs hang on this too. */
  tick(): void {
    for (const { pool } of this.#pools) pool.tick();
    if (this.#options.changes.heard) this.#tellOfPools();
    if (this.#options.timers) this.#wakeWhenDue();
    const now = this.#options.clock.monotonic();
    if (now - this.#polledAt < this.#options.settings.pollMs) return;
    this.#polledAt = now;
    this.poke();
  }

  /** A job scheduled for between two polls starts on time. */
  #wakeWhenDue(): void {
    const { clock } = this.#options;
    const dueAt = this.nextAt ?? Number.POSITIVE_INFINITY;
    const inMs = Math.max(0, dueAt - clock.now());
    if (dueAt === this.#dueAt || inMs > Math.max(TICK_MS, this.#options.settings.pollMs)) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#dueTimer);
    this.#dueTimer = setTimeout(() => this.poke(), inMs);
  }

  #claimed(kind: string, stage: string, jobs: ClaimedJob[]): void {
    const { changes } = this.#options;
    if (!changes.heard) return;
    for (const job of jobs) {
      const { lease, tenant, attempt, runAt, claimedAt } = job;
      changes.claimed({ type: "job", jobId: lease.jobId, tenant, kind, stage, standing: "running" }, () => [
        {
          ...claimedSubject({ kind, stage }, job, claimedAt),
          name: "started",
          attempt,
          waitMs: Math.max(0, claimedAt - runAt),
        },
      ]);
    }
  }

  #noted(names: { kind: string; stage: string }, job: ClaimedJob, { progress }: Note): void {
    if (!progress) return;
    const { changes, clock } = this.#options;
    changes.report(() => [
      { ...claimedSubject(names, job, clock.now()), name: "progress", attempt: job.attempt, ...progress },
    ]);
  }

  #settled(event: SettledEvent): void {
    this.#options.metrics.settled(event);
    this.#tellOf(event);
    const { kind, stage, job, settled, outcome, waitMs, runMs } = event;
    const { log } = this.#options;
    const { jobId } = job.lease;
    const about = {
      jobId,
      kind,
      stage,
      tenantId: job.tenant,
      ...(job.traceId !== undefined && { traceId: job.traceId }),
    };
    if (settled.written === "lease-lost") {
      log.warn("result dropped, lease lost", { ...about, attempt: job.attempt });
      return this.#options.settled(jobId);
    }
    if (settled.nextStage !== undefined) {
      if (log.infoEnabled) log.info("stage advanced", { ...about, to: settled.nextStage, waitMs, runMs });
      this.poke(kind);
      return;
    }
    if (log.infoEnabled || outcome.type === "failed" || outcome.type === "crashed") {
      logOutcome(log, { ...about, attempt: job.attempt, waitMs, runMs: Math.round(runMs) }, event);
    }
    this.#options.settled(jobId, settled.forgotten ? event : undefined);
  }

  #tellOf(event: SettledEvent): void {
    const { changes, clock } = this.#options;
    const { kind, stage, job, settled } = event;
    if (!changes.heard || settled.written === "lease-lost") return;
    const { standing, nextStage } = settled;
    changes.tell(
      { type: "job", jobId: job.lease.jobId, tenant: job.tenant, kind, stage: nextStage ?? stage, standing },
      () => newsOfSettle(event, clock.now()),
    );
  }

  /** At most ten times a second for each pool, however many jobs it takes. */
  #tellOfPools(): void {
    for (const each of this.#pools) {
      const { busyCount: busy, errorCount: error, problem } = each.pool;
      const now = `${busy} ${error} ${problem ?? ""}`;
      if (now === each.told) continue;
      each.told = now;
      this.#options.changes.tell({
        type: "pool",
        kind: each.kind.name,
        stage: each.stage.name,
        size: each.size,
        busy,
        error,
        ...(problem !== undefined && { problem }),
      });
    }
  }

  async #checkHealth(): Promise<void> {
    const { store, log } = this.#options;
    try {
      log.info("health", healthLine(this.views(), await store.kinds()));
    } catch (error) {
      log.error("health check failed", { error: messageOf(error) });
    }
  }

  /** What this process's processors do and did, for the others who look at the same store. */
  async #tellStore(): Promise<void> {
    try {
      const [first, ...rest] = this.views();
      const views = first ? [{ ...first, told: figuresToTell(this.#options.metrics) }, ...rest] : [];
      await this.#options.store.beat(JSON.stringify(views));
    } catch (error) {
      this.#options.log.warn("could not report pools", { error: messageOf(error) });
    }
  }
}

function logOutcome(log: Log, about: Record<string, unknown>, { outcome, settled }: SettledEvent): void {
  if (outcome.type === "failed" || outcome.type === "crashed") {
    const { code, message, stack } = outcome.failure;
    log.warn("attempt failed", { ...about, code, error: message, ...(stack !== undefined && { stack }) });
    if (settled.written === "written" && settled.standing === "scheduled") {
      log.info("retrying", { ...about, runAt: new Date(settled.runAt ?? 0).toISOString() });
    } else if (settled.written === "written" && settled.standing === "failed") {
      log.error("dead-lettered", { ...about, code, error: message });
    }
    return;
  }
  log.info("settled", { ...about, outcome: outcome.type });
}
