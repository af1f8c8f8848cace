import type { Lease } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import { retry } from "../lib/growing-pause.ts";
import type { Settled, Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";

const PAUSES = { firstMs: 50, longestMs: 2_000 };
/** Errors of a store that may succeed in a moment. */
const PASSING = new Set(["store-unavailable", "disk-full"]);

/**
 * Records an outcome. A store in trouble is asked again: work that is done should not be done twice because the disk was full
 * for a moment. If another process has the job by then, the token decides. A process that must go gives up (`giveUp`): its
 * lease ends with it, and the job runs again.
 */
export function settleOutcome(
  store: Store,
  lease: Lease,
  outcome: Outcome,
  { log, giveUp }: { log: Log; giveUp: AbortSignal },
): Promise<Settled> {
  const mayRetry = (error: unknown, pauseMs: number) => {
    if (!(error instanceof AppError) || !PASSING.has(error.code) || giveUp.aborted) return false;
    log.warn("settle failed, trying again", { jobId: lease.jobId, error: messageOf(error), pauseMs });
    return true;
  };
  return retry(() => store.settle(lease, outcome), { ...PAUSES, mayRetry });
}
