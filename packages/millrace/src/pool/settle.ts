import type { Lease } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import type { Settled, Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Records an outcome. A store in trouble is asked again with growing pauses: work that is done should not be done
 * twice because the disk was full for a moment. Whoever else has the job by then, the token decides. A process that
 * must go gives up: the lease ends with it, and the job runs again.
 */
export async function settleOutcome(
  store: Store,
  lease: Lease,
  outcome: Outcome,
  { log, giveUp }: { log: Log; giveUp: AbortSignal },
): Promise<Settled> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await store.settle(lease, outcome);
    } catch (error) {
      if (!(error instanceof AppError) || !PASSING.has(error.code) || giveUp.aborted) throw error;
      log.warn("settle failed, trying again", { jobId: lease.jobId, error: messageOf(error), pauseMs });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

const PASSING = new Set(["store-unavailable", "disk-full"]);
