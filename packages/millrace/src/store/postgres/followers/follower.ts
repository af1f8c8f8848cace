// Followers: each waits for the live job of its unique key, and gets the key in the transaction that ends that job. A job that
// continues as new keeps its key, and so its follower. A transaction that stores a follower locks the live job's row, so that the
// job cannot end unseen.

import { FOLLOWS, READY } from "../../codes.ts";
import type { NewFollower } from "../../decide/join.ts";
import { ownTimeOf, type PendingTime, startOfFollower } from "../../decide/pending/change.ts";
import { type Lane, wakeLanes } from "../claim/lanes.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import type { PostgresJobRow } from "../read/row.ts";
import { uniqueName } from "../submit/facts.ts";
import { putUnique } from "../submit/insert.ts";

// The row of the key is written too: a transaction of a caller that ends the live job under REPEATABLE READ, and does not see the
// follower, then fails instead of dropping the key.
const ADD = `WITH added AS (
    INSERT INTO millrace.follower (kind, tenant, key, job, run_at, latest_at)
    SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
    RETURNING kind, tenant, key
  )
  UPDATE millrace.unique_key SET job = unique_key.job FROM added
  WHERE unique_key.kind = added.kind AND unique_key.tenant = added.tenant AND unique_key.key = added.key`;
const START_BY = `UPDATE millrace.job SET expires_at = given.expires_at
  FROM unnest($1::bigint[], $2::bigint[]) AS given (id, expires_at) WHERE job.id = given.id`;
// The common case is a key without a follower: one statement.
const DROP_KEY_OR_FIND = `WITH found AS MATERIALIZED (
    SELECT found.*
    FROM (SELECT kind, tenant, key FROM millrace.unique_key WHERE job = $1 OFFSET 0) AS held, LATERAL (
      SELECT job, run_at, latest_at FROM millrace.follower
      WHERE follower.kind = held.kind AND follower.tenant = held.tenant AND follower.key = held.key LIMIT 1) AS found
  ),
  dropped AS (
    DELETE FROM millrace.unique_key WHERE job = $1 AND NOT EXISTS (SELECT 1 FROM found)
  )
  SELECT * FROM found`;
const LOCK_FOLLOWER = `SELECT id, stage, tenant, flags FROM millrace.job WHERE id = $1 AND flags & ${FOLLOWS} <> 0 FOR UPDATE`;
const DROP = "DELETE FROM millrace.follower WHERE job = $1";
const DROP_KEY = "DELETE FROM millrace.unique_key WHERE job = $1";
const TAKE_KEY = "UPDATE millrace.unique_key SET job = $2, latest_at = $3 WHERE job = $1";
const START = "UPDATE millrace.job SET standing = $2, run_at = $3, flags = $4, updated_at = $5 WHERE id = $1";
// OFFSET 0 keeps this a look-up for each follower. As a join it could read all unique keys.
const STRANDED = `SELECT kind, tenant, key FROM millrace.follower
  WHERE NOT EXISTS (SELECT 1 FROM millrace.unique_key
    WHERE unique_key.kind = follower.kind AND unique_key.tenant = follower.tenant AND unique_key.key = follower.key OFFSET 0)
  LIMIT $1`;
const STILL_STRANDED = `SELECT job, run_at, latest_at FROM millrace.follower
  WHERE kind = $1 AND tenant = $2 AND key = $3 AND NOT EXISTS (SELECT 1 FROM millrace.unique_key
    WHERE unique_key.kind = $1 AND unique_key.tenant = $2 AND unique_key.key = $3)`;

/** A unique key with the kind and tenant that it belongs to. */
export interface KeyName {
  kind: number;
  tenant: number;
  key: string;
}

interface FollowerRow extends PendingTime {
  job: number;
}

type FollowerJob = Pick<PostgresJobRow, "id" | "stage" | "tenant" | "flags">;

export interface FollowerToAdd extends KeyName, PendingTime {
  id: number;
  /** The time until which the job must have started, or it fails. */
  expires_at: number | null;
}

export function followerToAdd(
  { uniqueKey, job }: NewFollower,
  { id, kind, tenant, now }: { id: number; kind: number; tenant: number; now: number },
): FollowerToAdd {
  const own = ownTimeOf(job, now);
  const expires_at = job.expiresInMs == null ? null : own.run_at + job.expiresInMs;
  return { id, kind, tenant, key: uniqueKey, ...own, expires_at };
}

/** These jobs are stored, and wait from now on. */
export async function addFollowers(tx: StatementRunner, added: readonly FollowerToAdd[]): Promise<void> {
  if (added.length === 0) return;
  await tx.run(ADD, [
    numbers(added.map(({ kind }) => kind)),
    numbers(added.map(({ tenant }) => tenant)),
    texts(added.map(({ key }) => key)),
    numbers(added.map(({ id }) => id)),
    numbers(added.map(({ run_at }) => run_at)),
    numbers(added.map(({ latest_at }) => latest_at)),
  ]);
  const expiring = added.filter(({ expires_at }) => expires_at !== null);
  if (expiring.length === 0) return;
  await tx.run(START_BY, [
    numbers(expiring.map(({ id }) => id)),
    numbers(expiring.map(({ expires_at }) => expires_at)),
  ]);
}

/** What became of a follower: it is due now, in this lane if it is ready. Without a lane it needs its concurrency key first. */
export interface StartedFollower {
  readonly lane?: Lane;
}

/**
 * A job that had a unique key has ended: its follower starts, or the key is free. The caller holds the lock of the job's row. Undefined:
 * nothing is due.
 */
export async function passOnKey(tx: StatementRunner, job: number, now: number): Promise<StartedFollower | undefined> {
  const [follower] = await tx.run<FollowerRow>(DROP_KEY_OR_FIND, [job]);
  if (!follower) return undefined;
  const row = await takeOut(tx, follower);
  if (!row) {
    await tx.run(DROP_KEY, [job]);
    return undefined;
  }
  // The key is moved, not deleted and added, so that no submission finds it free.
  await tx.run(TAKE_KEY, [job, row.id, follower.latest_at]);
  return start(tx, row, follower, now);
}

/** The job has ended while it waited. */
export async function dropFollower(tx: StatementRunner, job: number): Promise<void> {
  await tx.run(DROP, [job]);
}

/** A follower finds its key free: it starts as if the live job had ended. */
export async function startFree(
  tx: StatementRunner,
  name: KeyName,
  row: FollowerJob,
  own: PendingTime,
  now: number,
): Promise<void> {
  await putUnique(tx, [{ ...name, job: row.id, latest_at: own.latest_at }]);
  const started = await start(tx, row, own, now);
  if (started?.lane) await wakeLanes(tx, [started.lane]);
}

/** Starts followers of jobs that a process of an older release ended. How many there were. */
export async function startStranded(core: Core, tx: StatementRunner, limit: number, now: number): Promise<number> {
  const names = await tx.run<KeyName>(STRANDED, [limit]);
  if (names.length === 0) return 0;
  const locks = names.map(({ kind, tenant, key }) => `unique ${uniqueName(kind, tenant, key)}`);
  await lock(tx, core.connections.target.schema, locks);
  for (const { kind, tenant, key } of names) {
    const [follower] = await tx.run<FollowerRow>(STILL_STRANDED, [kind, tenant, key]);
    const row = follower && (await takeOut(tx, follower));
    if (row) await startFree(tx, { kind, tenant, key }, row, follower as FollowerRow, now);
  }
  return names.length;
}

/** The row of the job. Undefined: a process of an older release has ended it. */
async function takeOut(tx: StatementRunner, { job }: FollowerRow): Promise<FollowerJob | undefined> {
  const [row] = await tx.run<FollowerJob>(LOCK_FOLLOWER, [job]);
  await dropFollower(tx, job);
  return row;
}

async function start(
  tx: StatementRunner,
  row: FollowerJob,
  own: PendingTime,
  now: number,
): Promise<StartedFollower | undefined> {
  const { standing, run_at, flags } = startOfFollower(row, own, now);
  await tx.run(START, [row.id, standing, run_at, flags, now]);
  if (own.run_at > now) return undefined;
  return standing === READY ? { lane: { stage: row.stage, tenant: row.tenant } } : {};
}
