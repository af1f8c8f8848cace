// Past figures for the charts: one point every five seconds for an hour in memory, and what the store keeps by the minute. Counters
// stand as they grow and a chart takes differences, so any subset of the points is correct.

import { FigureBase } from "./figure-base.ts";
import type { MetricsView, StageView } from "./metrics-view.ts";

export interface StagePoint {
  queueSize: number;
  idle: number;
  busy: number;
  error: number;
  completed: number;
  failed: number;
  retries: number;
  waitP50: number;
  waitP95: number;
  runP50: number;
  runP95: number;
}

export interface TenantPoint {
  submitted: number;
  completed: number;
  failed: number;
  refused: number;
}

export interface FigurePoint {
  at: string;
  submitted: number;
  completed: number;
  failed: number;
  cancelled: number;
  attemptsFailed: number;
  refused: number;
  pending: number;
  running: number;
  dlq: number;
  perStage: Record<string, StagePoint>;
  perTenant: Record<string, TenantPoint>;
}

const FINE_MS = 5_000;
const FINE_RANGE_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A chart cannot show more points than this. */
const MOST_POINTS = 240;
const MOST_TENANTS = 20;

/** Reads the stored minutes of a time range as points. */
export type ReadStored = (range: { from: number; until: number; everyMs: number }) => Promise<FigurePoint[]>;

export interface FigureHistoryOptions {
  /** The figures of now. */
  readonly read: () => Promise<MetricsView>;
  readonly stored: ReadStored;
  readonly now: () => number;
}

export class FigureHistory {
  readonly #options: FigureHistoryOptions;
  readonly #fine: FigurePoint[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Added to the counters of this process, so that they go on where the stored ones end. */
  #base: Promise<FigureBase> | undefined;

  constructor(options: FigureHistoryOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.addPoint(), FINE_MS);
    this.#timer.unref();
    void this.addPoint();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A store that cannot answer just now leaves a gap, which is correct. */
  async addPoint(): Promise<void> {
    try {
      const at = this.#options.now();
      this.#base ??= this.#begin(at);
      const base = await this.#base.catch((error: unknown) => {
        this.#base = undefined;
        throw error;
      });
      this.#fine.push(base.added(pointOf(await this.#options.read(), at)));
      while (Date.parse(this.#fine[0]?.at ?? "") <= at - FINE_RANGE_MS) this.#fine.shift();
    } catch {
      // The next point comes in five seconds.
    }
  }

  /** The hour before this process started, from the store. */
  async #begin(at: number): Promise<FigureBase> {
    const first = pointOf(await this.#options.read(), at);
    const before = await this.#options.stored({ from: at - FINE_RANGE_MS, until: at, everyMs: MINUTE_MS });
    this.#fine.push(...before);
    return new FigureBase(before.at(-1), first);
  }

  /**
   * The last while, thinned out to what a chart can show; `after`: only what is newer. More than an hour, or another time than
   * now, comes from the store, and its counters are zero at the beginning of the range.
   */
  async since(
    rangeMs: number,
    { after, until }: { after?: number | undefined; until?: number | undefined } = {},
  ): Promise<{ everyMs: number; points: FigurePoint[] }> {
    if (rangeMs <= FINE_RANGE_MS && until === undefined) return this.#recent(rangeMs, after);
    const everyMs = Math.max(1, Math.ceil(rangeMs / MINUTE_MS / MOST_POINTS)) * MINUTE_MS;
    const end = until ?? this.#options.now();
    const points = await this.#options.stored({ from: end - rangeMs, until: end, everyMs });
    return { everyMs, points: after === undefined ? points : points.filter(({ at }) => Date.parse(at) > after) };
  }

  #recent(rangeMs: number, after: number | undefined): { everyMs: number; points: FigurePoint[] } {
    const everyMs = Math.max(1, Math.ceil(rangeMs / FINE_MS / MOST_POINTS)) * FINE_MS;
    const from = Math.max(this.#options.now() - rangeMs, after ?? 0);
    // Points are chosen by their own time and not by their index, so that the next question continues the same grid.
    const taken: FigurePoint[] = [];
    let slot = after === undefined ? Number.NEGATIVE_INFINITY : Math.floor(after / everyMs);
    for (const point of this.#fine) {
      const at = Date.parse(point.at);
      if (at <= from || Math.floor(at / everyMs) <= slot) continue;
      slot = Math.floor(at / everyMs);
      taken.push(point);
    }
    return { everyMs, points: taken };
  }
}

function pointOf(metrics: MetricsView, at: number): FigurePoint {
  const tenants = Object.entries(metrics.perTenant).sort(([, a], [, b]) => b.submitted - a.submitted);
  return {
    at: new Date(at).toISOString(),
    submitted: metrics.jobsSubmitted,
    completed: metrics.jobsCompleted,
    failed: metrics.jobsFailed,
    cancelled: metrics.jobsCancelled,
    attemptsFailed: metrics.attemptsFailed,
    refused: metrics.submissionsRefused,
    pending: metrics.pending,
    running: metrics.running,
    dlq: metrics.dlq,
    perStage: Object.fromEntries(Object.entries(metrics.perStage).map(([stage, view]) => [stage, stagePoint(view)])),
    perTenant: Object.fromEntries(tenants.slice(0, MOST_TENANTS).map(([tenant, totals]) => [tenant, { ...totals }])),
  };
}

function stagePoint({ queueSize, processors, waitMs, runMs, completed, failed, retries }: StageView): StagePoint {
  return {
    queueSize,
    ...processors,
    completed,
    failed,
    retries,
    waitP50: waitMs.p50,
    waitP95: waitMs.p95,
    runP50: runMs.p50,
    runP95: runMs.p95,
  };
}
