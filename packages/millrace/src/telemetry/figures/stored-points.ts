// Stored minutes as the points of a chart. Counters grow from zero at the first point, so that a chart takes differences as it does
// of the figures in memory.

import type { FigurePoint, StagePoint, TenantPoint } from "./history.ts";
import type { MinuteFigures, MinuteGauges } from "./minutes.ts";
import { MOST_TENANTS } from "./minutes.ts";

/** Adds up minutes, oldest first. */
export class StoredPoints {
  readonly #everyMs: number;
  readonly #points: FigurePoint[] = [];
  #point: Point | undefined;
  #stretch = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** `at`: the end of the minute. */
  add(at: number, minute: { counts?: MinuteFigures; gauges?: MinuteGauges }): void {
    const stretch = Math.ceil(at / this.#everyMs);
    if (!this.#point || this.#stretch !== stretch) {
      this.#close();
      this.#point = new Point(this.#point);
      this.#stretch = stretch;
    }
    // The last minute that counts in it, so that a rate is not spread over time to come.
    this.#point.at = at;
    if (minute.counts) this.#point.count(minute.counts);
    if (minute.gauges) this.#point.measure(minute.gauges);
  }

  /** The points, oldest first. A stretch without minutes has none: no process ran. */
  end(): FigurePoint[] {
    this.#close();
    this.#point = undefined;
    return withBusiest(this.#points);
  }

  #close(): void {
    if (this.#point) this.#points.push(this.#point.view());
  }
}

class Point {
  at = 0;
  readonly #jobs: number[];
  readonly #stages: Map<string, StagePoint>;
  readonly #tenants: Map<string, TenantPoint>;
  #gauges: MinuteGauges["jobs"];

  /** Counters and the last known numbers of jobs go on from the point before; percentiles are those of this one. */
  constructor(before: Point | undefined) {
    this.#jobs = before ? [...before.#jobs] : [0, 0, 0, 0, 0, 0];
    this.#gauges = before ? before.#gauges : [0, 0, 0];
    this.#tenants = new Map([...(before ? before.#tenants : [])].map(([tenant, totals]) => [tenant, { ...totals }]));
    this.#stages = new Map(
      [...(before ? before.#stages : [])].map(([name, stage]) => [name, { ...stage, ...NO_TIMES }]),
    );
  }

  count({ jobs, stages, tenants }: MinuteFigures): void {
    for (const [i, count] of jobs.entries()) this.#jobs[i] = (this.#jobs[i] ?? 0) + count;
    for (const [name, [completed, failed, retries, waitP50, waitP95, runP50, runP95]] of Object.entries(stages)) {
      const stage = this.#stage(name);
      stage.completed += completed;
      stage.failed += failed;
      stage.retries += retries;
      // Percentiles do not add up: the slowest minute of the slowest process stands for all.
      stage.waitP50 = Math.max(stage.waitP50, waitP50);
      stage.waitP95 = Math.max(stage.waitP95, waitP95);
      stage.runP50 = Math.max(stage.runP50, runP50);
      stage.runP95 = Math.max(stage.runP95, runP95);
    }
    for (const [name, [submitted, completed, failed, refused]] of Object.entries(tenants)) {
      const tenant = this.#tenants.get(name) ?? { submitted: 0, completed: 0, failed: 0, refused: 0 };
      tenant.submitted += submitted;
      tenant.completed += completed;
      tenant.failed += failed;
      tenant.refused += refused;
      this.#tenants.set(name, tenant);
    }
  }

  measure({ jobs, stages }: MinuteGauges): void {
    this.#gauges = jobs;
    for (const stage of this.#stages.values()) Object.assign(stage, NO_JOBS);
    for (const [name, [queueSize, idle, busy, error]] of Object.entries(stages)) {
      Object.assign(this.#stage(name), { queueSize, idle, busy, error });
    }
  }

  #stage(name: string): StagePoint {
    const stage = this.#stages.get(name) ?? { ...NO_STAGE };
    this.#stages.set(name, stage);
    return stage;
  }

  view(): FigurePoint {
    const [submitted = 0, completed = 0, failed = 0, cancelled = 0, attemptsFailed = 0, refused = 0] = this.#jobs;
    const [pending, running, dlq] = this.#gauges;
    return {
      at: new Date(this.at).toISOString(),
      ...{ submitted, completed, failed, cancelled, attemptsFailed, refused, pending, running, dlq },
      perStage: Object.fromEntries(this.#stages),
      perTenant: Object.fromEntries(this.#tenants),
    };
  }
}

const NO_JOBS = { queueSize: 0, idle: 0, busy: 0, error: 0 };
const NO_TIMES = { waitP50: 0, waitP95: 0, runP50: 0, runP95: 0 };
const NO_STAGE: StagePoint = { ...NO_JOBS, ...NO_TIMES, completed: 0, failed: 0, retries: 0 };

/** Each minute names its own busiest tenants. Over a range there may be more of them than a chart offers. */
function withBusiest(points: FigurePoint[]): FigurePoint[] {
  const totals = Object.entries(points.at(-1)?.perTenant ?? {});
  if (totals.length <= MOST_TENANTS) return points;
  const sorted = totals.toSorted(([, a], [, b]) => b.submitted + b.completed - a.submitted - a.completed);
  const kept = new Set(sorted.slice(0, MOST_TENANTS).map(([tenant]) => tenant));
  for (const point of points) {
    const other = { submitted: 0, completed: 0, failed: 0, refused: 0, ...point.perTenant["other"] };
    for (const [tenant, { submitted, completed, failed, refused }] of Object.entries(point.perTenant)) {
      if (kept.has(tenant) || tenant === "other") continue;
      other.submitted += submitted;
      other.completed += completed;
      other.failed += failed;
      other.refused += refused;
      delete point.perTenant[tenant];
    }
    point.perTenant["other"] = other;
  }
  return points;
}
