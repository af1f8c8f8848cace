// What a simulation found.

/** What `simulate()` found. Times are in milliseconds. */
export interface SimulationReport {
  /** The simulated time. */
  durationMs: number;
  /** Jobs that were accepted. */
  submitted: number;
  /** Submissions that were refused, by code, such as `backpressure`. */
  refused: Record<string, number>;
  /** Jobs that passed all their stages. */
  completed: number;
  /** Jobs that became dead letters. */
  failed: number;
  /** Jobs that had not ended at the end of the simulated time. */
  unfinished: number;
  /** The stages with their pools. */
  stages: SimulatedStageReport[];
  /** The tenants with the most jobs, 20 at most. */
  tenants: SimulatedTenantReport[];
  /** What to change, in sentences. Empty if nothing stands out. */
  advice: string[];
}

/** Waits, from the moment a job is due until its attempt begins, in milliseconds. */
export interface SimulatedWaits {
  /** The mean of all waits. */
  mean: number;
  /** The median. */
  p50: number;
  /** 95 % of the attempts waited no longer. */
  p95: number;
  /** 99 % of the attempts waited no longer. */
  p99: number;
  /** The longest wait. */
  max: number;
}

/** One stage of a simulation. */
export interface SimulatedStageReport {
  /** The kind of its jobs. */
  kind: string;
  /** The name of the stage. */
  stage: string;
  /** Its processors, over all processes. */
  processors: number;
  /** Attempts that ended. */
  attempts: number;
  /** Those of them that failed. */
  failures: number;
  /** The share of the processors' time that attempts ran, from 0 to 1. */
  busy: number;
  /** Attempts that ended in a second. */
  perSecond: number;
  /** How long attempts waited for a processor. */
  waitMs: SimulatedWaits;
  /** The most due jobs at one time. */
  longestQueue: number;
  /** Due jobs at the end. */
  queueAtEnd: number;
}

/** One tenant of a simulation. */
export interface SimulatedTenantReport {
  /** The name of the tenant. */
  tenant: string;
  /** Jobs that were accepted. */
  submitted: number;
  /** Jobs that passed all their stages. */
  completed: number;
  /** How long its attempts waited for a processor, over all stages. */
  waitMs: SimulatedWaits;
}
