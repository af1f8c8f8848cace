import type { WorkTime } from "../../runner.ts";

/** What is slow may have been unlucky; what works for so many times as long is not to hold up anybody. */
const EXTREME_WORK = 4;
/** The same for what waits instead of working: for something else, or for threads of its own that get no time. */
const EXTREME_WAIT = 8;

export type Slowness = "none" | "some" | "extreme";

/**
 * Of an attempt in a stage that calls those slow which take longer than `afterMs`. On a busy machine a short attempt takes long
 * too, and would take no less the next time: what counts is the time it had.
 */
export function slownessOf({ workMs, ranMs = workMs }: WorkTime, afterMs: number): Slowness {
  if (workMs < afterMs) return "none";
  return ranMs >= afterMs * EXTREME_WORK || workMs >= afterMs * EXTREME_WAIT ? "extreme" : "some";
}
