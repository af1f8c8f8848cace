// How a person or a program changes a pending job: its payload while no attempt has seen it, and its time, priority and tags.

import { standingWhenDue } from "../../../job/crash.ts";
import { COMPLETED, codeOf, FOLLOWS, HELD, RUNNING, SCHEDULED } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { JobUpdate } from "../../verbs/jobs.ts";
import { dueAt, WAITING } from "../../waits/codes.ts";
import { type Conflict, stateName } from "../release.ts";
import { isUnclaimed } from "./change.ts";
import { type ChangedPlace, changePlace } from "./place.ts";

export interface UpdateFacts {
  readonly row: JobRow;
  /** Whether a process works on the job, although its row says that it is ready. */
  readonly isBundled?: boolean;
  /** The own time of a follower, or when a job with a key came to it. */
  readonly ownRunAt?: number | undefined;
  /** Jobs of its kind run in order. */
  readonly isOrdered: boolean;
  readonly now: number;
}

/** The columns of the row to write, and what becomes of its concurrency key. */
export interface DecidedUpdate extends Omit<ChangedPlace, "columns"> {
  readonly columns: Pick<JobRow, "priority" | "tags" | "run_at" | "standing" | "flags" | "expires_at">;
}

export function decideUpdate(
  { row, isBundled = false, ownRunAt, isOrdered, now }: UpdateFacts,
  update: JobUpdate,
): DecidedUpdate | Conflict {
  if (row.standing >= COMPLETED) return { conflict: `The job is already ${stateName(row)}.` };
  if (row.standing === RUNNING || isBundled)
    return { conflict: "The job is running; only pending jobs can be changed." };
  if (update.payload !== undefined && !isUnclaimed(row)) {
    return { conflict: "The payload of a job that has started before cannot be changed." };
  }
  if (update.priority && isOrdered)
    return { conflict: "Jobs of its kind run in order, so they cannot have a priority." };
  const { runAt = undefined, priority = row.priority, tags } = update;
  const columns = { priority, tags: tags === undefined ? row.tags : tagsColumn(tags) };
  if (runAt === undefined) {
    const { run_at, standing, flags, expires_at } = row;
    return { columns: { ...columns, run_at, standing, flags, expires_at }, leaves: false, arrives: false };
  }
  const refusal = refuseTime(row);
  if (refusal) return refusal;
  const { expires_at, ...asked } = timed(row, { runAt, ownRunAt, now });
  const place = changePlace({ row, asked, key: row.concurrency_key });
  return { ...place, columns: { ...columns, ...place.columns, expires_at } };
}

/** A job that waits for something else starts when that arrives, so it takes no start time. */
function refuseTime(row: JobRow): Conflict | undefined {
  if (row.standing === HELD) return { conflict: "The job is held. Release it to start it." };
  return row.flags & WAITING ? { conflict: "The job waits for something other than a time." } : undefined;
}

function timed(
  row: JobRow,
  { runAt, ownRunAt, now }: { runAt: number; ownRunAt: number | undefined; now: number },
): Pick<JobRow, "run_at" | "standing" | "expires_at"> {
  // The time within which the job must start is counted from the time at which it starts.
  const expires_at = row.expires_at === null ? null : row.expires_at + (runAt - (ownRunAt ?? dueAt(row.run_at)));
  if (row.flags & FOLLOWS) return { run_at: row.run_at, standing: row.standing, expires_at };
  return { run_at: runAt, standing: runAt > now ? SCHEDULED : codeOf[standingWhenDue(row)], expires_at };
}

function tagsColumn(tags: readonly string[]): string | null {
  return tags.length > 0 ? JSON.stringify(tags) : null;
}
