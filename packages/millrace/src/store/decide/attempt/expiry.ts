import type { StagePlan } from "../../../job/kind/plan.ts";
import { afterAttempt, type Moment, type Transition } from "../../../job/lifecycle.ts";
import { type JobRow, standpoint } from "../../rows/job-row.ts";

/** How long the name of a process is kept after its end. */
export const KEEP_NAMES_MS = 7 * 24 * 3_600_000;

/**
 * A processor whose main loop is blocked cannot keep its own deadline. The store ends the attempt this long after it.
 */
export const OVERDUE_GRACE_MS = 1_000;

/** Decides about an attempt that ran past its time limit. */
export function afterOverdue(
  row: JobRow,
  { retryTimeouts }: { retryTimeouts: boolean },
  rules: StagePlan & { last: boolean },
  moment: Moment,
): Transition {
  const message = `Timed out after ${moment.now - (row.started_at ?? moment.now)} ms.`;
  const failure = { code: "timed-out", message, permanent: !retryTimeouts };
  return afterAttempt(standpoint(row), { type: "failed", failure }, rules, moment);
}
