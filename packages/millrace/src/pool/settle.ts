import type { Outcome } from "../job/lifecycle.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import { retryAfter } from "../lib/growing-pause.ts";
import type { Store } from "../store/store.ts";
import type { SettleAnswer } from "../store/verbs/attempts.ts";
import type { PoolWork } from "./attempt.ts";
import type { RunningAttempt } from "./attempt-state.ts";
import { aboutAttempt } from "./log-attempt.ts";

const PAUSES = { firstMs: 50, longestMs: 2_000 };
/** Errors of a store that may succeed in a moment. */
const PASSING = new Set(["store-unavailable", "disk-full"]);

/**
 * The store did not take an outcome. A store in trouble is asked again: work that is done should not be done twice
 * because the disk was full for a moment. If another process has the job by then, the token decides. Undefined: the
 * pool gave up. The lease expires, and the job runs again.
 */
export async function settleAgain(
  attempt: RunningAttempt,
  outcome: Outcome,
  error: unknown,
  { store, log, names, giveUp }: PoolWork,
): Promise<SettleAnswer | undefined> {
  const { job } = attempt;
  const { lease } = job;
  const mayRetry = (error: unknown, pauseMs: number) => {
    if (!(error instanceof AppError) || !PASSING.has(error.code) || giveUp.aborted) return false;
    log.warn("settle failed, trying again", { jobId: lease.jobId, error: messageOf(error), pauseMs });
    return true;
  };
  try {
    const work = async () => {
      // The last log lines first: the settle ends the lease.
      if (attempt.note) await noteAgain(attempt, store);
      return store.settle(lease, outcome);
    };
    return await retryAfter(error, work, PAUSES, mayRetry);
  } catch (error) {
    log.error("settle failed", { ...aboutAttempt(job, names), error: messageOf(error) });
    return undefined;
  }
}

async function noteAgain(attempt: RunningAttempt, store: Store): Promise<void> {
  try {
    await store.note(attempt.job.lease, { ...attempt.note, again: true });
    attempt.note = undefined;
  } catch {
    // The settle that follows shows what is wrong with the store.
  }
}
