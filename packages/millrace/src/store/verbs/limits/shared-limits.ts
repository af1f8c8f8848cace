// Limits on running jobs that kinds share, for operators.

import type { ControlAnswer } from "../jobs.ts";

export interface SharedLimitVerbs {
  /** Every limit that a process ever defined, by name. */
  sharedLimits(): Promise<SharedLimitFacts[]>;
  /** Sets a total in place of the one that the processes define. null: theirs counts again. */
  setSharedLimit(name: string, total: number | null): Promise<ControlAnswer>;
  /** The dead letters that hold their concurrency keys: how many there are, and the oldest 5. */
  deadKeyHolders(): Promise<DeadKeyHolders>;
}

export interface DeadKeyHolders {
  count: number;
  oldest: string[];
}

export interface SharedLimitFacts {
  name: string;
  /** The limit in the code of the newest deployment. */
  defined: number;
  /** What an operator has set in its place. */
  set?: number;
  /** The kinds that use it. */
  kinds: string[];
  /** Their running jobs. */
  running: number;
}
