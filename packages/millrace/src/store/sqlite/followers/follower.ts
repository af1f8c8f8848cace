// Followers: each waits for the live job of its unique key, and gets the key in the commit that ends that job. A job that continues
// as new keeps its key, and so its follower.

import { FOLLOWS } from "../../codes.ts";
import type { NewFollower } from "../../decide/join.ts";
import { isUnclaimed, ownTimeOf, type PendingTime, startOfFollower } from "../../decide/pending/change.ts";
import { needsKey } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { findUnique } from "../submit/unique-key.ts";

const ADD = "INSERT INTO follower (kind, tenant, key, job, run_at, latest_at) VALUES (?, ?, ?, ?, ?, ?)";
const START_BY = "UPDATE job SET expires_at = ? WHERE id = ?";
const FIND = "SELECT job FROM follower WHERE kind = ? AND tenant = ? AND key = ?";
const OF_KEY = `SELECT follower.job, follower.run_at, follower.latest_at FROM unique_key
    JOIN follower ON follower.kind = unique_key.kind AND follower.tenant = unique_key.tenant AND follower.key = unique_key.key
  WHERE unique_key.job = ?`;
const DROP = "DELETE FROM follower WHERE job = ?";
const DROP_KEY = "DELETE FROM unique_key WHERE job = ?";
const TAKE_KEY = "UPDATE unique_key SET job = ?1, latest_at = ?2 WHERE job = ?3";
const START = "UPDATE job SET standing = ?, run_at = ?, flags = ?, updated_at = ? WHERE id = ?";
const STRANDED = `SELECT kind, tenant, key, job, run_at, latest_at FROM follower
  WHERE NOT EXISTS (SELECT 1 FROM unique_key
    WHERE unique_key.kind = follower.kind AND unique_key.tenant = follower.tenant AND unique_key.key = follower.key)
  LIMIT ?`;
const PUT_KEY = "INSERT INTO unique_key (kind, tenant, key, job, latest_at) VALUES (?, ?, ?, ?, ?)";

interface FollowerRow extends PendingTime {
  job: number;
}

/** The key of the follower of a unique key. */
export function findFollower(core: Core, kind: number, tenant: number, key: string): number | undefined {
  return (core.statement(FIND).get(kind, tenant, key) as { job: number } | undefined)?.job;
}

/** The job of a unique key that was never claimed: the follower, or else the live job. */
export function findUnclaimed(core: Core, kind: number, tenant: number, key: string): number | undefined {
  const follower = findFollower(core, kind, tenant, key);
  if (follower !== undefined) return follower;
  const live = findUnique(core, kind, tenant, key);
  const row = live === undefined ? undefined : findRow(core, live);
  return row && isUnclaimed(row) ? row.id : undefined;
}

/** The job is stored, and waits from now on. */
export function addFollower(
  core: Core,
  { uniqueKey, job }: NewFollower,
  { id, kind, tenant, now }: { id: number; kind: number; tenant: number; now: number },
): void {
  const own = ownTimeOf(job, now);
  core.statement(ADD).run(kind, tenant, uniqueKey, id, own.run_at, own.latest_at);
  if (job.expiresInMs != null) core.statement(START_BY).run(own.run_at + job.expiresInMs, id);
}

/** A job that had a unique key has ended: its follower starts, or the key is free. */
export function passOnKey(core: Core, job: number, now: number): void {
  const follower = core.statement(OF_KEY).get(job) as FollowerRow | undefined;
  const row = follower && takeOut(core, follower);
  if (!follower || !row) {
    core.statement(DROP_KEY).run(job);
    return;
  }
  core.statement(TAKE_KEY).run(row.id, follower.latest_at, job);
  start(core, row, follower, now);
}

/** The job has ended while it waited. */
export function dropFollower(core: Core, job: number): void {
  core.statement(DROP).run(job);
}

/** Starts followers of jobs that a process of an older release ended. How many there were. */
export function startStranded(core: Core, limit: number): number {
  const now = core.clock.now();
  const stranded = core.statement(STRANDED).all(limit) as unknown as (FollowerRow & {
    kind: number;
    tenant: number;
    key: string;
  })[];
  for (const follower of stranded) {
    const row = takeOut(core, follower);
    if (!row) continue;
    core.statement(PUT_KEY).run(follower.kind, follower.tenant, follower.key, row.id, follower.latest_at);
    start(core, row, follower, now);
  }
  return stranded.length;
}

/** The row of the job. Undefined: a process of an older release has ended it. */
function takeOut(core: Core, { job }: FollowerRow): JobRow | undefined {
  dropFollower(core, job);
  const row = findRow(core, job);
  return row && row.flags & FOLLOWS ? row : undefined;
}

function start(core: Core, row: JobRow, own: PendingTime, now: number): void {
  const { standing, run_at, flags } = startOfFollower(row, own, now);
  core.statement(START).run(standing, run_at, flags, now, row.id);
  core.counts.move(row.stage, row.tenant, row.standing, standing);
  if (own.run_at <= now && needsKey(flags)) core.places.arrive(row.id);
  core.wakePools();
}
