// What ends an attempt before its code does: its deadline, a lost lease, or a slow lane without a place.

import type { LossReason } from "../job/lease.ts";
import type { PoolWork } from "./attempt.ts";
import type { RunningAttempt } from "./attempt-state.ts";
import { slownessOf } from "./child/resources/slowness.ts";
import { aboutAttempt } from "./log-attempt.ts";
import { timedOut } from "./outcome.ts";

const SLOW_AGAIN_MS = 500;

/** Called ten times a second for each busy attempt. */
export function watchAttempt(attempt: RunningAttempt, work: PoolWork): void {
  if (attempt.isOver) return;
  const { stage, clock } = work;
  const since = attempt.running?.workingSince;
  // The deadline of an isolated processor includes its start; once the work has begun, only the work counts.
  if (stage.work.in === "process" && since !== undefined) {
    attempt.deadlineAt = Math.min(attempt.deadlineAt, since + attempt.timeoutMs);
  }
  if (clock.monotonic() >= attempt.deadlineAt) timeOut(attempt, work);
  else if (stage.slow) watchSlow(attempt, stage.slow, work);
}

function timeOut(attempt: RunningAttempt, work: PoolWork): void {
  const { job, slot, timeoutMs } = attempt;
  const outcome = timedOut(work.stage, timeoutMs);
  work.log.warn("processor stuck", { ...aboutAttempt(job, work.names), slot, timeoutMs });
  attempt.finish(outcome, `${outcome.failure.message} Its code has not returned.`);
  attempt.running?.kill();
}

/**
 * Short attempts must not wait behind long ones. If there is no place for another long attempt, it is deferred, not
 * failed.
 */
function watchSlow(attempt: RunningAttempt, { afterMs, processors }: SlowLane, { slots, log, names }: PoolWork): void {
  const slowness = attempt.running ? slownessOf(attempt.running.time(), afterMs) : "none";
  if (slowness === "none") return;
  if (attempt.isSlow) {
    if (slowness === "extreme") attempt.running?.slowDown();
    return;
  }
  if (slots.slowCount < processors) {
    log.debug("attempt is slow", aboutAttempt(attempt.job, names));
    return slots.addFor(attempt);
  }
  if (slowness !== "extreme") return;
  const reason = "all slots for long attempts are busy";
  attempt.finish(
    { type: "deferred", delayMs: SLOW_AGAIN_MS, reason },
    "The attempt took long, and all processors for long attempts were busy.",
  );
  attempt.running?.kill();
}

interface SlowLane {
  afterMs: number;
  processors: number;
}

/**
 * Ends an attempt whose lease is gone, as the store says: the job was cancelled, or another process declared this one
 * dead.
 */
export function loseAttempt(attempt: RunningAttempt, reason: LossReason, work: PoolWork): void {
  if (reason === "undoing") return windDown(attempt, work);
  attempt.span?.end("lost", reason);
  work.log.warn("lease lost", { ...aboutAttempt(attempt.job, work.names), reason });
  attempt.finish("lost", `Its lease ended (${reason}) and its code has not returned.`);
  attempt.running?.lose(reason);
}

/** The store repeats this until the attempt has ended. The attempt's deadline still holds. */
function windDown(attempt: RunningAttempt, { log, names }: PoolWork): void {
  if (attempt.isWindingDown) return;
  attempt.isWindingDown = true;
  log.info("cancelled, finishing steps", aboutAttempt(attempt.job, names));
  attempt.running?.windDown();
}
