// How a job is revived: a new one with the same payload (or an edited one) and no attempts behind it, linked both ways. It keeps
// the finished stages and steps and starts at the stage that failed, unless it is to start afresh.

import { CANCELLED, FAILED, HAS_STEPS, HAS_UNIQUE_KEY, READY, REJECTED, SCHEDULED } from "../codes.ts";
import type { JobRow } from "../rows/job-row.ts";
import type { ReviveAnswer, ReviveOptions } from "../verbs/jobs.ts";
import { HAS_SIGNALS, HAS_WAITS } from "../waits/codes.ts";
import { type KeyOwner, uniqueKeyTaken } from "./refusals.ts";
import { stateName } from "./release.ts";

type RevivalConflict = Extract<ReviveAnswer, { conflict: string }>;

/** Why the job cannot be revived. Undefined: it can, unless another live job has the unique key. */
export function refuseRevival(old: JobRow, idOf: (key: number) => string): RevivalConflict | undefined {
  if (old.retried_as !== null)
    return { conflict: "The job was revived before.", code: "conflict", jobId: idOf(old.retried_as) };
  if (old.standing === FAILED || old.standing === REJECTED || old.standing === CANCELLED) return undefined;
  const conflict = `The job is ${stateName(old)}; only failed and cancelled ones can be revived.`;
  return { conflict, code: "conflict" };
}

/** Another live job has the unique key that the revived one would get. */
export function revivalKeyTaken(uniqueKey: string, owner: KeyOwner): RevivalConflict {
  const { message, code, jobId } = uniqueKeyTaken(uniqueKey, owner);
  return { conflict: message, code, ...(jobId !== undefined && { jobId }) };
}

export interface Revival {
  /** It starts at the first stage, without the results and steps of the old job. */
  readonly fresh: boolean;
  readonly standing: number;
  readonly runAt: number;
  /** What the new job has beside its row; a store adds what its own way of storing needs. */
  readonly flags: number;
  /** The old job is no longer a dead letter, and is kept no longer than any other finished job. */
  readonly oldStanding: number;
}

export function planRevival(
  old: JobRow,
  { from, payload, uniqueKey, delayMs = 0 }: ReviveOptions,
  now: number,
): Revival {
  const fresh = from === "start" || payload !== undefined;
  return {
    fresh,
    standing: delayMs > 0 ? SCHEDULED : READY,
    runAt: now + Math.max(0, delayMs),
    flags:
      (fresh ? 0 : old.flags & (HAS_STEPS | HAS_WAITS | HAS_SIGNALS)) | (uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY),
    oldStanding: old.standing === FAILED ? REJECTED : old.standing,
  };
}
