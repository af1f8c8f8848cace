// How a job is revived: a new one with the same payload (or an edited one) and no attempts behind it, linked both ways. It keeps
// the finished stages and steps and starts at the stage that failed, unless it is to start afresh.

import { HAS_EDGES } from "../children/codes.ts";
import { CANCELLED, COMPLETED, FAILED, HAS_STEPS, HAS_UNIQUE_KEY, READY, REJECTED, SCHEDULED } from "../codes.ts";
import { RESTARTED_COLUMNS } from "../columns/job-columns.ts";
import { HOLDS_KEY, KEYED, needsKey } from "../keys/codes.ts";
import type { JobRow } from "../rows/job-row.ts";
import { HAS_STREAMS } from "../streams/codes.ts";
import type { ReviveAnswer, ReviveOptions } from "../verbs/jobs.ts";
import { HAS_SIGNALS, HAS_UNDOS, HAS_WAITS, IS_CONTINUED, UNDO_CANCELLED, UNDOING, UNDONE } from "../waits/codes.ts";
import { type KeyOwner, uniqueKeyTaken } from "./refusals.ts";
import { stateName } from "./release.ts";

type RevivalConflict = Extract<ReviveAnswer, { conflict: string }>;

/** Why the job cannot be revived. Undefined: it can, unless another live job has the unique key. */
export function refuseRevival(
  old: JobRow,
  { from, payload }: ReviveOptions,
  idOf: (key: number) => string,
): RevivalConflict | undefined {
  if (old.retried_as !== null && old.standing === COMPLETED) {
    const conflict = "The job is completed and continued as a new job. Revive that one if it fails.";
    return { conflict, code: "conflict", jobId: idOf(old.retried_as) };
  }
  if (old.retried_as !== null)
    return { conflict: "The job was already revived.", code: "conflict", jobId: idOf(old.retried_as) };
  if (old.standing === FAILED || old.standing === REJECTED || old.standing === CANCELLED) {
    if (old.flags & UNDONE && from !== "start" && payload === undefined) {
      const conflict = "The steps of the job were undone, so it can be revived from the start only.";
      return { conflict, code: "conflict" };
    }
    if (!(old.flags & UNDOING) || payload === undefined) return undefined;
    return { conflict: "The job has undos left, so it cannot get another payload.", code: "conflict" };
  }
  const conflict = `The job is ${stateName(old)}; only failed and cancelled jobs can be revived.`;
  return { conflict, code: "conflict" };
}

/** Another live job has the unique key that the revived one would get. */
export function revivalKeyTaken(uniqueKey: string, owner: KeyOwner): RevivalConflict {
  const { message, code, jobId } = uniqueKeyTaken(uniqueKey, owner);
  return { conflict: message, code, ...(jobId !== undefined && { jobId }) };
}

/** The times of the new job that are counted from its own submission, by the names of their columns. */
export function restartedTimes(old: JobRow, now: number): Partial<JobRow> {
  const times = RESTARTED_COLUMNS.map((name) => {
    const at = old[name] as number | null;
    return [name, at === null ? null : now + (at - old.created_at)];
  });
  return Object.fromEntries(times);
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
  /** An edited payload can have another key. */
  readonly concurrencyKey: string | null;
}

/** What a job has in common with the one that it revives from the failed stage. */
const TAKEN_ALONG =
  HAS_STEPS | HAS_WAITS | HAS_SIGNALS | HAS_STREAMS | HAS_UNDOS | UNDOING | UNDO_CANCELLED | HAS_EDGES;

export function planRevival(old: JobRow, options: ReviveOptions, now: number): Revival {
  const { from, payload, uniqueKey, delayMs = 0 } = options;
  // With undos left the new job runs only those, wherever it is to start.
  const undoes = (old.flags & UNDOING) !== 0;
  const fresh = !undoes && (from === "start" || payload !== undefined);
  const { concurrencyKey = old.concurrency_key } = options;
  const flags =
    (fresh ? 0 : (old.flags & TAKEN_ALONG) | IS_CONTINUED) |
    (uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY) |
    (concurrencyKey === null ? 0 : KEYED) |
    (concurrencyKey === old.concurrency_key ? old.flags & HOLDS_KEY : 0);
  return {
    fresh,
    standing: delayMs > 0 || needsKey(flags) ? SCHEDULED : READY,
    runAt: now + Math.max(0, delayMs),
    flags,
    concurrencyKey,
    oldStanding: old.standing === FAILED ? REJECTED : old.standing,
  };
}
