// What this process did, counted as it happens: a few increments per job, and nothing that grows with jobs or tenants.

import { Histogram } from "./histogram.ts";
import { type SettledFigures, StageFigures } from "./stage-figures.ts";
import { TenantFigures } from "./tenant-figures.ts";

/** Percentiles and rates are of the last 5 to 10 minutes. */
const TURN_MS = 300_000;
/** Often enough to see a blocked loop, seldom enough to cost an idle process nothing. */
const DELAY_EVERY_MS = 100;

export class ProcessMetrics {
  readonly tenants = new TenantFigures();
  /**
   * How much later than asked a timer fires. `monitorEventLoopDelay` is not used: Node includes the interval, Bun does
   * not, and neither has a window.
   */
  readonly loopDelay = new Histogram();
  readonly refusals = new Map<string, number>();
  jobsSubmitted = 0;
  jobsCompleted = 0;
  jobsFailed = 0;
  jobsCancelled = 0;
  attemptsFailed = 0;
  submissionsRefused = 0;
  leasesExpired = 0;
  readonly #stages = new Map<string, Map<string, StageFigures>>();
  readonly #monotonic: () => number;
  #turnAt: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: { monotonic(): number }) {
    this.#monotonic = () => clock.monotonic();
    this.#turnAt = clock.monotonic() + TURN_MS;
  }

  submitted(tenant: string, count: number): void {
    this.jobsSubmitted += count;
    this.tenants.add(tenant, "submitted", count);
  }

  refused(tenant: string, code: string): void {
    this.submissionsRefused++;
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    this.tenants.add(tenant, "refused", 1);
  }

  settled(event: SettledFigures): void {
    const became = this.stage(event.kind, event.stage).settled(event);
    const { type } = event.outcome;
    if (type === "failed" || type === "crashed") this.attemptsFailed++;
    if (became === undefined) return;
    if (became === "completed") this.jobsCompleted++;
    else this.jobsFailed++;
    this.tenants.add(event.job.tenant, became, 1);
  }

  /**
   * Counts an attempt whose lease was ended from outside: cancelled, timed out by the store, or its process declared
   * dead.
   */
  lost(kind: string, stage: string): void {
    this.stage(kind, stage).lost();
  }

  cancelled(count: number): void {
    this.jobsCancelled += count;
  }

  /**
   * Counts leases of dead processes that were taken back, and jobs that were not started in time. `failed`: how many of
   * them failed by it.
   */
  expired(count: number, failed: number): void {
    this.leasesExpired += count;
    this.jobsFailed += failed;
  }

  stage(kind: string, stage: string): StageFigures {
    let stages = this.#stages.get(kind);
    if (!stages) {
      stages = new Map();
      this.#stages.set(kind, stages);
    }
    let figures = stages.get(stage);
    if (!figures) {
      figures = new StageFigures(kind, stage);
      stages.set(stage, figures);
    }
    return figures;
  }

  stages(): StageFigures[] {
    return [...this.#stages.values()].flatMap((stages) => [...stages.values()]);
  }

  start(): void {
    let askedAt = performance.now();
    this.#timer ??= setInterval(() => {
      const now = performance.now();
      this.loopDelay.record(Math.max(0, now - askedAt - DELAY_EVERY_MS));
      askedAt = now;
      this.tick();
    }, DELAY_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Moves the window on when a turn is over. */
  tick(): void {
    if (this.#monotonic() < this.#turnAt) return;
    this.#turnAt = this.#monotonic() + TURN_MS;
    this.loopDelay.turn();
    this.tenants.turn();
    for (const stage of this.stages()) stage.turn();
  }
}
