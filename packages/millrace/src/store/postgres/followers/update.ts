// Changes a pending job from outside.

import { FOLLOWS, READY } from "../../codes.ts";
import { decideUpdate } from "../../decide/pending/update.ts";
import type { JobUpdate, UpdateAnswer } from "../../verbs/jobs.ts";
import { tellOfWork } from "../children/queue.ts";
import { wakeLanes } from "../claim/lanes.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { leavePlaces } from "../keys/places.ts";
import { type LockedRow, NAMED, type NamedRow, toJobs } from "../read/row.ts";
import { bundledJobs } from "./unclaimed.ts";

const LOCK = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE`;
const FINISHED = `SELECT *, ${NOW} AS now FROM millrace.finished WHERE id = $2`;
// A follower of a caller's transaction keeps its time in another table until it has a place.
const OWN_TIME = `SELECT run_at FROM millrace.follower WHERE job = $1
  UNION ALL SELECT run_at FROM millrace.follower_caller WHERE job = $1
  UNION ALL SELECT at FROM millrace.place WHERE job = $1`;
const SET_OWN_TIMES = [
  "UPDATE millrace.follower SET run_at = $2 WHERE job = $1",
  "UPDATE millrace.follower_caller SET run_at = $2 WHERE job = $1",
];
const UPDATE = `UPDATE millrace.job
  SET priority = $2, tags = $3, run_at = $4, standing = $5, expires_at = $6, payload = coalesce($7, payload), updated_at = $8,
    flags = $9
  WHERE id = $1`;
const SET_PRIORITY = "UPDATE millrace.place SET priority = $2 WHERE job = $1";
const FIND = `${NAMED} WHERE job.id = $1`;

export async function update(core: Core, jobId: string, change: JobUpdate): Promise<UpdateAnswer> {
  const key = core.ids.decode(jobId) ?? -1;
  await core.bundles.openFor([key]);
  const answer = await core.connections.write.transact((tx) => updateIn(core, tx, key, change));
  if (typeof answer === "object" && "updated" in answer) tellOfWork(core);
  return answer;
}

export async function updateIn(core: Core, tx: StatementRunner, key: number, change: JobUpdate): Promise<UpdateAnswer> {
  const [row] = await tx.run<LockedRow>(LOCK, [core.clock.given, key]);
  const [known = row] = row ? [] : await tx.run<LockedRow>(FINISHED, [core.clock.given, key]);
  if (!known) return "not-found";
  await core.names.knowStages([known.stage]);
  const { now } = known;
  const follows = (known.flags & FOLLOWS) !== 0;
  const isKeyed = known.concurrency_key !== null;
  const [own] = follows || isKeyed ? await tx.run<{ run_at: number }>(OWN_TIME, [key]) : [];
  const isBundled = known.standing === READY && (await bundledJobs(core, tx, [known])).has(key);
  const isOrdered = core.names.isOrdered(core.names.stage(known.stage));
  const decided = decideUpdate({ row: known, isBundled, ownRunAt: own?.run_at, isOrdered, now }, change);
  if ("conflict" in decided) return decided;
  const { priority, tags, run_at, standing, flags, expires_at } = decided.columns;
  const { payload = null, runAt } = change;
  await tx.run(UPDATE, [key, priority, tags, run_at, standing, expires_at, payload, now, flags]);
  if (isKeyed) await tx.run(SET_PRIORITY, [key, priority]);
  if (decided.leaves) await leavePlaces(tx, [key]);
  if (follows && runAt !== undefined) for (const statement of SET_OWN_TIMES) await tx.run(statement, [key, runAt]);
  if (standing === READY) await wakeLanes(tx, [known]);
  const [updated] = await toJobs(core, await tx.run<NamedRow>(FIND, [key]));
  if (!updated) throw new Error(`job ${key} is not stored`);
  return { updated };
}
