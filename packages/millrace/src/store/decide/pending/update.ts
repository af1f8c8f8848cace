// How a person or a program changes a pending job: its payload while no attempt has seen it, and its time, priority and tags.

import { standingWhenDue } from "../../../job/crash.ts";
import { COMPLETED, codeOf, FOLLOWS, HELD, RUNNING, SCHEDULED } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { JobUpdate } from "../../verbs/jobs.ts";
import { dueAt, WAITING } from "../../waits/codes.ts";
import { type Conflict, stateName } from "../release.ts";
import { isUnclaimed } from "./change.ts";

export interface UpdateFacts {
  readonly row: JobRow;
  /** A process works on the job, although its row says that it is ready. */
  readonly isBundled?: boolean;
  /** The own time of a follower. */
  readonly ownRunAt?: number | undefined;
  readonly now: number;
}

/** The columns of the row to write. */
export type UpdatedColumns = Pick<JobRow, "priority" | "tags" | "run_at" | "standing" | "expires_at">;

export function decideUpdate(
  { row, isBundled = false, ownRunAt, now }: UpdateFacts,
  update: JobUpdate,
): { readonly columns: UpdatedColumns } | Conflict {
  if (row.standing >= COMPLETED) return { conflict: `The job is already ${stateName(row)}.` };
  if (row.standing === RUNNING || isBundled)
    return { conflict: "The job is running; only pending jobs can be changed." };
  if (update.payload !== undefined && !isUnclaimed(row)) {
    return { conflict: "The payload of a job that has started before cannot be changed." };
  }
  const { runAt = undefined, priority = row.priority, tags } = update;
  const columns = { priority, tags: tags === undefined ? row.tags : tagsColumn(tags) };
  if (runAt === undefined) {
    return { columns: { ...columns, run_at: row.run_at, standing: row.standing, expires_at: row.expires_at } };
  }
  const refusal = refuseTime(row);
  if (refusal) return refusal;
  return { columns: { ...columns, ...timed(row, { runAt, ownRunAt, now }) } };
}

/** A job that waits for something else starts when that comes. */
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
