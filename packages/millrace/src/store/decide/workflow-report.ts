// What `millrace doctor` says about waits and what jobs are sent, beside batches.

export interface WorkflowReport {
  /** The tenant with most kept events. Missing: no event is kept. */
  mostEvents?: { tenant: string; count: number };
  /** Children to cancel, batches to end and the like, which a commit left to be done long ago. */
  leftBehind: number;
}

/** Processes do what is left within a second, or within some for very many jobs. */
const BEHIND_MS = 60_000;

/** Work that was left before this time should be done. */
export function behindBefore(now: number): number {
  return now - BEHIND_MS;
}
