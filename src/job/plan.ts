/** What a store must know of a kind to settle, recover and prune its jobs, also in a process that does not run it. */
export interface KindPlan {
  name: string;
  stages: StagePlan[];
  retention: Retention;
}

export interface StagePlan {
  name: string;
  maxAttempts: number;
  maxCrashes: number;
  retry: { baseMs: number; maxMs: number };
}

export interface Retention {
  /** Completed and cancelled jobs, and failures of the input itself. "none": deleted as they settle. */
  finishedMs: number | "none";
  deadLetterMs: number;
}

/** At most `count` starts per `perMs`, over all processes. */
export interface Pace {
  count: number;
  perMs: number;
}
