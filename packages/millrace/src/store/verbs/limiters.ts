// Rate limits that all processes share.

import type { Lease, WriteAnswer } from "../../job/lease.ts";

export interface LimiterVerbs {
  /** Defines the limiters of this process. A limiter whose rule has not changed keeps its level. */
  setLimiters(limiters: { name: string; count: number; perMs: number }[]): Promise<void>;
  /** Takes `cost` from the limiter if it has that much. */
  take(lease: Lease, limiter: string, cost: number): Promise<LimiterAnswer>;
  /** Nothing can be taken from the limiter for this long. */
  blockLimiter(lease: Lease, limiter: string, forMs: number): Promise<WriteAnswer>;
}

/** `retryAt`: there is no room before then. */
export type LimiterAnswer = "taken" | "lease-lost" | { retryAt: number };
