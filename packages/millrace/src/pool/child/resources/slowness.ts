import type { WorkTime } from "../../runner.ts";

/** A slow attempt may have been unlucky. One that has worked this many times as long must not hold up others. */
const EXTREME_WORK = 4;
/**
 * The same for an attempt that waits instead of working: for something else, or for threads of its own that get no CPU
 * time.
 */
const EXTREME_WAIT = 8;

export type Slowness = "none" | "some" | "extreme";

/**
 * How slow an attempt is, in a stage where an attempt beyond `afterMs` counts as slow. On a busy machine a short
 * attempt takes long too, and would take no less the next time: what counts is the time it had.
 */
export function slownessOf({ workMs, ranMs = workMs }: WorkTime, afterMs: number): Slowness {
  if (workMs < afterMs) return "none";
  return ranMs >= afterMs * EXTREME_WORK || workMs >= afterMs * EXTREME_WAIT ? "extreme" : "some";
}
