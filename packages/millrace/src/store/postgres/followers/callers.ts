// What becomes of followers that were stored in transactions of callers:
//
//   follower_caller  --(the transaction commits)-->  visible  --(under the lock of its key)-->  the key is free: it starts
//                                                                                          ├──the live job was never claimed: it
//                                                                                          │  takes its place, and that is cancelled
//                                                                                          └──otherwise it follows, and an earlier
//                                                                                             follower is cancelled
//
// A process that knows of the commit does this at once, a submission of the same key before it looks at the key, and each second
// every process looks for the others. So a process that dies after its commit leaves nothing behind.

import { FOLLOWS } from "../../codes.ts";
import { type KeyPlace, placeFollower, replacedBy } from "../../decide/pending/callers.ts";
import { KEYED } from "../../keys/codes.ts";
import { tellOfWork } from "../children/queue.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { applyAll } from "../settle/apply.ts";
import { uniqueName } from "../submit/facts.ts";
import { tryLocks } from "../submit/key-locks.ts";
import { addFollowers, type KeyName, startFree } from "./follower.ts";
import { lockUnclaimed } from "./unclaimed.ts";

/** Keys of one look. Others are left to the next. */
const MOST_KEYS = 500;

const WITH_FOLLOWERS = `SELECT DISTINCT kind, tenant, key FROM millrace.follower_caller LIMIT ${MOST_KEYS}`;
const TAKE_OUT = `DELETE FROM millrace.follower_caller WHERE kind = $1 AND tenant = $2 AND key = $3
  RETURNING job, extends, run_at, latest_at, expires_at`;
const LOCK = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE`;
const OWN_TIME = `SELECT coalesce(
    (SELECT latest_at FROM millrace.follower WHERE job = $1),
    (SELECT latest_at FROM millrace.unique_key WHERE job = $1)
  ) AS latest_at`;
const SET_PAYLOAD = "UPDATE millrace.job SET payload = $2, concurrency_key = $3, flags = $4 WHERE id = $1";

interface CommittedFollower {
  job: number;
  extends: boolean;
  run_at: number;
  latest_at: number | null;
  expires_at: number | null;
}

/** Places what has been committed and has no place yet, by any process. */
export async function placeFollowers(core: Core): Promise<void> {
  const names = await core.connections.write.run<KeyName>(WITH_FOLLOWERS);
  for (const name of names) await core.connections.write.transact((tx) => placeIfFree(core, tx, name));
}

/** A key that another transaction holds is left to that transaction, or to the next look. */
async function placeIfFree(core: Core, tx: OwnTransaction, name: KeyName): Promise<void> {
  const lockName = `unique ${uniqueName(name.kind, name.tenant, name.key)}`;
  const busy = await tryLocks(tx, core.connections.target.schema, [lockName]);
  if (busy.size === 0) await placeUnder(core, tx, name);
}

/** The caller holds the lock of the key. */
export async function placeUnder(core: Core, tx: OwnTransaction, name: KeyName): Promise<void> {
  const found = await tx.run<CommittedFollower>(TAKE_OUT, [name.kind, name.tenant, name.key]);
  // The last submission wins.
  for (const each of found.sort((a, b) => a.job - b.job)) await place(core, tx, name, each);
}

async function place(core: Core, tx: OwnTransaction, name: KeyName, given: CommittedFollower): Promise<void> {
  const locked = (await lockUnclaimed(core, tx, [name])).get(uniqueName(name.kind, name.tenant, name.key));
  const row = await lockRow(core, tx, given.job);
  // It was cancelled before it got its place.
  if (!row || !(row.flags & FOLLOWS)) return;
  tx.afterCommit(async () => tellOfWork(core));
  const under: KeyPlace | undefined = locked && {
    leader: locked.leader?.id,
    follower: locked.follower?.id,
    unclaimed: locked.unclaimed?.id,
  };
  const { replaces, starts } = placeFollower(under);
  const replaced = replaces === undefined ? undefined : await lockRow(core, tx, replaces);
  const own = replaced ? await withTimeOf(tx, given, replaced) : given;
  const taken = replaced && given.extends ? await takeOver(tx, row, replaced) : row;
  const isFollower = replaces === under?.follower;
  // A follower leaves its place before the next takes it; a live job passes its key on to the one that is there.
  if (replaced && isFollower) await cancelReplaced(core, tx, replaced, row.id);
  if (starts) return startFree(tx, name, taken, own, row.now);
  await addFollowers(tx, [{ ...name, ...own, id: row.id }]);
  if (replaced && !isFollower) await cancelReplaced(core, tx, replaced, row.id);
}

/** The follower keeps its time, and gets the payload and the concurrency key of the submission that replaces it. */
async function takeOver(tx: StatementRunner, row: LockedRow, replaced: LockedRow): Promise<LockedRow> {
  const { payload, concurrency_key } = replaced;
  const flags = concurrency_key === null ? row.flags & ~KEYED : row.flags | KEYED;
  await tx.run(SET_PAYLOAD, [row.id, payload, concurrency_key, flags]);
  return { ...row, payload, concurrency_key, flags };
}

/** A job with a latest start passes that moment on to the job that replaces it. */
async function withTimeOf(
  tx: StatementRunner,
  given: CommittedFollower,
  replaced: LockedRow,
): Promise<CommittedFollower> {
  const [time] = await tx.run<{ latest_at: number | null }>(OWN_TIME, [replaced.id]);
  const latest = time?.latest_at ?? null;
  if (latest === null) return given;
  return { ...given, run_at: Math.min(given.run_at, latest), latest_at: Math.min(given.latest_at ?? latest, latest) };
}

async function cancelReplaced(core: Core, tx: OwnTransaction, row: LockedRow, by: number): Promise<void> {
  await core.names.knowStages([row.stage]);
  await applyAll(core, tx, [{ row, change: replacedBy(row, core.ids.encode(by)) }]);
  tx.afterCommit(async () => core.voice.say("end"));
}

async function lockRow(core: Core, tx: StatementRunner, id: number): Promise<LockedRow | undefined> {
  const [row] = await tx.run<LockedRow>(LOCK, [core.clock.given, id]);
  return row;
}
