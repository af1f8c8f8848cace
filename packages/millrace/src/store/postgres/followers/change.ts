// Changes jobs that were never claimed.

import { FOLLOWS, JOINED, READY } from "../../codes.ts";
import type { PendingChange } from "../../decide/join.ts";
import { changePending } from "../../decide/pending/change.ts";
import { type Lane, wakeLanes } from "../claim/lanes.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { leavePlaces } from "../keys/places.ts";
import type { PostgresJobRow } from "../read/row.ts";

const LOCK = `SELECT job.*, coalesce(follower.run_at, place.at) AS own_run_at, coalesce(follower.latest_at, unique_key.latest_at) AS latest_at
  FROM millrace.job
    LEFT JOIN millrace.follower ON follower.job = job.id
    LEFT JOIN millrace.unique_key ON unique_key.job = job.id
    LEFT JOIN millrace.place ON place.job = job.id
  WHERE job.id = $1
  FOR UPDATE OF job`;
// Another caller may wait for the job from now on.
const CHANGE = `UPDATE millrace.job
  SET run_at = $2, standing = $3, expires_at = $4, deadline_at = $5, payload = coalesce($6, payload), updated_at = $7,
    flags = $8 | ${JOINED}, concurrency_key = $9
  WHERE id = $1`;
const SET_OWN_TIME = "UPDATE millrace.follower SET run_at = $2 WHERE job = $1";

export interface ChangeOfJob {
  id: number;
  change: PendingChange;
}

interface PendingRow extends PostgresJobRow {
  /** The own time of a follower, or when a job with a key came to it. */
  own_run_at: number | null;
  latest_at: number | null;
}

/**
 * Changes are made one after the other, in the order of the submissions. The jobs wait for their first claims, and
 * their rows are locked.
 */
export async function changeJobs(tx: StatementRunner, changes: readonly ChangeOfJob[], now: number): Promise<void> {
  const lanes: Lane[] = [];
  for (const { id, change } of changes) {
    const [row] = await tx.run<PendingRow>(LOCK, [id]);
    if (!row) throw new Error(`job ${id} is not stored`);
    const own = { run_at: row.own_run_at ?? row.run_at, latest_at: row.latest_at };
    const { payload = null, runAt, columns, leaves } = changePending(row, own, change, now);
    const { run_at, standing, expires_at, deadline_at, flags, concurrency_key } = columns;
    await tx.run(CHANGE, [id, run_at, standing, expires_at, deadline_at, payload, now, flags, concurrency_key]);
    if (leaves) await leavePlaces(tx, [id]);
    if (row.flags & FOLLOWS) await tx.run(SET_OWN_TIME, [id, runAt]);
    if (standing === READY) lanes.push({ stage: row.stage, tenant: row.tenant });
  }
  await wakeLanes(tx, lanes);
}
