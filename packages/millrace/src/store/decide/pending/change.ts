// How a job that was never claimed changes: by a later submission of its unique key, or because the job that it follows has ended.

import { IS_SUCCESSOR } from "../../children/codes.ts";
import { FOLLOWS, HAS_UNIQUE_KEY, READY, SCHEDULED } from "../../codes.ts";
import { needsKey } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { dueAt, IS_CONTINUED, WAITING } from "../../waits/codes.ts";
import type { PendingChange } from "../join.ts";
import { runAtOf } from "../submission.ts";
import { type ChangedPlace, changePlace, type PlaceFacts } from "./place.ts";

/**
 * No attempt has seen the payload. A job that revives another from its failed stage, or that another continued as, goes on with what
 * an earlier attempt stored, so it counts as claimed. One that waits for other jobs has its place among them.
 */
export function isUnclaimed({ token, standing, flags }: Pick<JobRow, "token" | "standing" | "flags">): boolean {
  return token === 0 && standing <= READY && (flags & (IS_CONTINUED | IS_SUCCESSOR | WAITING)) === 0;
}

/** When a job starts that waits under a unique key. A follower has this beside its row. */
export interface PendingTime {
  readonly run_at: number;
  /** The latest start, whatever later submissions ask for. */
  readonly latest_at: number | null;
}

/** The columns of the job's row that change. A follower keeps its `run_at` and its standing, and changes its own time. */
export type ChangedColumns = ChangedPlace["columns"] & Pick<JobRow, "expires_at" | "deadline_at">;

export interface ChangedJob extends Omit<ChangedPlace, "columns"> {
  /** The new payload. Undefined: the job keeps its own. */
  readonly payload: string | undefined;
  readonly columns: ChangedColumns;
  /** When it starts, at its own time. */
  readonly runAt: number;
}

export function changePending(
  row: PlaceFacts["row"] & Pick<JobRow, "expires_at" | "deadline_at">,
  own: PendingTime,
  { way, job }: PendingChange,
  now: number,
): ChangedJob {
  const asked = runAtOf(job, now);
  const runAt = own.latest_at === null ? asked : Math.min(asked, own.latest_at);
  const key = way === "replaced" ? (job.concurrencyKey ?? null) : row.concurrency_key;
  const { columns, leaves, arrives } = changePlace({ row, asked: startOf(row, runAt, now), key });
  return {
    payload: way === "replaced" ? job.payload : undefined,
    runAt,
    leaves,
    arrives,
    columns: {
      ...columns,
      expires_at: startBy(row, own, runAt, job.expiresInMs),
      deadline_at: job.deadlineMs == null ? row.deadline_at : now + job.deadlineMs,
    },
  };
}

function startOf(row: Pick<JobRow, "flags" | "run_at" | "standing">, runAt: number, now: number) {
  if (row.flags & FOLLOWS) return { run_at: row.run_at, standing: row.standing };
  return { run_at: runAt, standing: runAt > now ? SCHEDULED : READY };
}

/** The time within which the job must start is counted from its start time, which has moved. */
function startBy(
  { expires_at }: Pick<JobRow, "expires_at">,
  own: PendingTime,
  runAt: number,
  expiresInMs: number | null | undefined,
): number | null {
  if (expiresInMs != null) return runAt + expiresInMs;
  return expires_at === null ? null : expires_at + (runAt - dueAt(own.run_at));
}

/** The row of a follower once the job that it followed has ended. */
export function startOfFollower(
  { flags }: Pick<JobRow, "flags">,
  own: Pick<PendingTime, "run_at">,
  now: number,
): Pick<JobRow, "run_at" | "standing" | "flags"> {
  return {
    run_at: Math.max(own.run_at, now),
    standing: own.run_at > now || needsKey(flags) ? SCHEDULED : READY,
    flags: (flags & ~FOLLOWS) | HAS_UNIQUE_KEY,
  };
}

/** The latest start of a job that is submitted now. */
export function latestAtOf({ latestMs }: { latestMs?: number }, now: number): number | null {
  return latestMs === undefined ? null : now + latestMs;
}

/** What a follower has beside its row. */
export function ownTimeOf(job: Parameters<typeof runAtOf>[0], now: number): PendingTime {
  const latest_at = latestAtOf(job, now);
  const runAt = runAtOf(job, now);
  return { run_at: latest_at === null ? runAt : Math.min(runAt, latest_at), latest_at };
}
