// What a simulation counts while it runs.

import type { SimulatedStageReport, SimulatedTenantReport, SimulatedWaits } from "./report.ts";
import { Samples } from "./samples.ts";
import type { PoolRules } from "./stages.ts";

const MOST_TENANTS_SHOWN = 20;

export class StageTally {
  readonly rules: PoolRules;
  readonly waits = new Samples();
  failures = 0;
  #attempts = 0;
  #busyMs = 0;
  #queue = 0;
  #longestQueue = 0;

  constructor(rules: PoolRules) {
    this.rules = rules;
  }

  jobIsDue(): void {
    this.#queue++;
    this.#longestQueue = Math.max(this.#longestQueue, this.#queue);
  }

  attemptBegins(waitMs: number): void {
    this.#queue--;
    this.waits.add(waitMs);
  }

  attemptEnds(ranMs: number): void {
    this.#attempts++;
    this.#busyMs += ranMs;
  }

  get hasQueue(): boolean {
    return this.#queue > 0;
  }

  /** `unendedMs`: how long the attempts have run that had not ended at the end. */
  report(durationMs: number, unendedMs: number): SimulatedStageReport {
    const { kind, stage, processors } = this.rules;
    return {
      kind,
      stage,
      processors,
      attempts: this.#attempts,
      failures: this.failures,
      busy: (this.#busyMs + unendedMs) / (processors * durationMs),
      perSecond: (this.#attempts * 1_000) / durationMs,
      waitMs: waitsOf(this.waits),
      longestQueue: this.#longestQueue,
      queueAtEnd: this.#queue,
    };
  }
}

export class TenantTally {
  readonly waits = new Samples();
  submitted = 0;
  completed = 0;
}

/** The tenants with the most jobs. */
export function tenantReports(tenants: ReadonlyMap<string, TenantTally>): SimulatedTenantReport[] {
  return [...tenants]
    .sort(([, a], [, b]) => b.submitted - a.submitted)
    .slice(0, MOST_TENANTS_SHOWN)
    .map(([tenant, { submitted, completed, waits }]) => ({ tenant, submitted, completed, waitMs: waitsOf(waits) }));
}

function waitsOf(waits: Samples): SimulatedWaits {
  return {
    mean: waits.mean,
    p50: waits.quantile(0.5),
    p95: waits.quantile(0.95),
    p99: waits.quantile(0.99),
    max: waits.quantile(1),
  };
}
