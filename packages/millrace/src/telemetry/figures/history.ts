// Past figures for the charts, in memory only. There are two rings: one entry every five seconds for an hour, and one every
// minute for a day. Counters are stored as they grow and a chart takes differences, so any subset of the entries is correct.

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

const FINE = { everyMs: 5_000, keep: 720 };
const COARSE = { everyMs: 60_000, keep: 1_440 };
/** A chart cannot show more points than this. */
const MOST_POINTS = 240;
const MOST_TENANTS = 20;

export class FigureHistory {
  readonly #read: () => Promise<MetricsView>;
  readonly #now: () => number;
  readonly #fine: FigurePoint[] = [];
  readonly #coarse: FigurePoint[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(read: () => Promise<MetricsView>, now: () => number) {
    this.#read = read;
    this.#now = now;
  }

  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.addPoint(), FINE.everyMs);
    this.#timer.unref();
    void this.addPoint();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A store that cannot answer just now leaves a gap, which is correct. */
  async addPoint(): Promise<void> {
    const metrics = await this.#read().catch(() => undefined);
    if (!metrics) return;
    const at = this.#now();
    const point = pointOf(metrics, at);
    push(this.#fine, point, FINE.keep);
    const last = this.#coarse.at(-1);
    if (!last || at - Date.parse(last.at) >= COARSE.everyMs - FINE.everyMs / 2) push(this.#coarse, point, COARSE.keep);
  }

  /** The points of a recent range, thinned out to what a chart can show. `after`: only newer ones. */
  since(rangeMs: number, after?: number): { everyMs: number; points: FigurePoint[] } {
    const ring = rangeMs <= FINE.everyMs * FINE.keep ? FINE : COARSE;
    const points = ring === FINE ? this.#fine : this.#coarse;
    const every = Math.max(1, Math.ceil(rangeMs / ring.everyMs / MOST_POINTS));
    const everyMs = every * ring.everyMs;
    const from = Math.max(this.#now() - rangeMs, after ?? 0);
    // Points are chosen by their own time and not by their index, so that the next question continues the same grid.
    const taken: FigurePoint[] = [];
    let slot = after === undefined ? Number.NEGATIVE_INFINITY : Math.floor(after / everyMs);
    for (const point of points) {
      const at = Date.parse(point.at);
      if (at <= from || Math.floor(at / everyMs) <= slot) continue;
      slot = Math.floor(at / everyMs);
      taken.push(point);
    }
    return { everyMs, points: taken };
  }
}

function push(ring: FigurePoint[], point: FigurePoint, keep: number): void {
  ring.push(point);
  if (ring.length > keep) ring.shift();
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
