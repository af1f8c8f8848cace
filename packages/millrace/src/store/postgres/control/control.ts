import type { Job } from "../../../job/job.ts";
import { HAS_WAITER } from "../../children/codes.ts";
import { HAS_STEPS, READY, SCHEDULED } from "../../codes.ts";
import { listOf, valuesOf } from "../../columns/column.ts";
import { type JobColumnName, RESTARTED_COLUMNS, REVIVED_COLUMNS } from "../../columns/job-columns.ts";
import { decideRelease, neededByParent, refuseForgetting } from "../../decide/release.ts";
import { planRevival, refuseRevival, revivalKeyTaken } from "../../decide/revival.ts";
import { HOLDS_KEY, needsKey } from "../../keys/codes.ts";
import type { ControlAnswer, ReviveAnswer, ReviveOptions } from "../../verbs/jobs.ts";
import { forgetEdges, neededJobs } from "../children/forget.ts";
import { tellOfWork } from "../children/queue.ts";
import { standIn, takeChildren } from "../children/stand-in.ts";
import { wakeLanes } from "../claim/lanes.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { leavePlaces, passPlace } from "../keys/places.ts";
import { type LockedRow, type NamedRow, toJobs } from "../read/row.ts";
import { readyTwins } from "../register/twin.ts";
import { outsidePin, repin } from "../register/unpin.ts";
import { copyStreams } from "../streams/copy.ts";
import { keyOwner, uniqueName } from "../submit/facts.ts";
import { putUnique } from "../submit/insert.ts";
import { copyWaits } from "../waits/copy.ts";
import { deleteBelongings } from "./delete.ts";

const LOCK_LIVE = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE`;
const LOCK_FINISHED = `SELECT *, ${NOW} AS now FROM millrace.finished WHERE id = $2 FOR UPDATE`;
const RELEASE =
  "UPDATE millrace.job SET standing = $2, run_at = $3, updated_at = $3, held_for = NULL, expires_at = NULL WHERE id = $1";
const ADD_ANSWER = `INSERT INTO millrace.step (job, stage, name, value, saved_at)
  SELECT $1::bigint, $2::int, 'released:' || (1 + count(*)), $3::text, $4::bigint FROM millrace.step
  WHERE job = $1::bigint AND stage = $2::int AND name LIKE 'released:%'`;
const ADD_STEPS_FLAG = `UPDATE millrace.job SET flags = flags | ${HAS_STEPS} WHERE id = $1`;
const SET_PAUSED = "UPDATE millrace.kind SET paused = $1 WHERE name = $2 RETURNING id";
const FORGET = "DELETE FROM millrace.finished WHERE id = ANY($1::bigint[]) RETURNING id, flags";
const LIVE = "SELECT id, standing FROM millrace.job WHERE id = ANY($1::bigint[])";
const FIND_UNIQUE = `SELECT id, stage, standing FROM millrace.job
  WHERE id = (SELECT job FROM millrace.unique_key WHERE kind = $1 AND tenant = $2 AND key = $3)`;
/**
 * The columns that a revived job gets new values for; the others are copied from the old job. $6 is the moment, $7 an
 * edited payload.
 */
const OWN = {
  id: "nextval('millrace.job_key')",
  stage: "$2",
  standing: "$3",
  run_at: "$4",
  flags: "$5",
  created_at: "$6",
  updated_at: "$6",
  retry_of: "id",
} satisfies { [Name in JobColumnName]?: string };
const REVIVED = [...(Object.keys(OWN) as JobColumnName[]), ...REVIVED_COLUMNS];
const REVIVED_VALUES = valuesOf(REVIVED, {
  ...OWN,
  ...Object.fromEntries(RESTARTED_COLUMNS.map((name) => [name, `$6 + (${name} - created_at)`])),
  payload: "coalesce($7, payload)",
  output: "CASE WHEN $8 THEN NULL ELSE output END",
  concurrency_key: "$9",
});
const REVIVE = `INSERT INTO millrace.job (${listOf(REVIVED)})
  SELECT ${REVIVED_VALUES} FROM millrace.finished WHERE id = $1
  RETURNING *, (SELECT name FROM millrace.tenant WHERE id = job.tenant) AS tenant_name, NULL AS holder_name`;
const LINK_REVIVED = `UPDATE millrace.finished SET retried_as = $2, standing = $3, updated_at = $4,
  finished_at = $4, flags = flags & ~${HOLDS_KEY} WHERE id = $1`;
const STAGES_OF_AWAITED = `SELECT DISTINCT stage FROM millrace.finished
  WHERE id = ANY($1::bigint[]) AND (flags & ${HAS_WAITER} <> 0 OR concurrency_key IS NOT NULL)`;
const COPY_STEPS = `INSERT INTO millrace.step (job, stage, name, value, saved_at)
  SELECT $1, stage, name, value, saved_at FROM millrace.step WHERE job = $2`;

export async function release(core: Core, jobId: string, given?: string): Promise<ControlAnswer> {
  const key = core.ids.decode(jobId) ?? -1;
  const answer = await core.connections.write.transact((tx) => releaseIn(core, tx, key, given));
  if (answer === "done") core.voice.say("work");
  return answer;
}

export async function releaseIn(core: Core, tx: StatementRunner, key: number, given?: string): Promise<ControlAnswer> {
  const row = await lockRow(core, tx, key);
  if (!row) return "not-found";
  const released = decideRelease(row, row.now);
  if ("conflict" in released) return released;
  const standing = needsKey(row.flags) ? SCHEDULED : released.standing;
  await tx.run(RELEASE, [row.id, standing, row.now]);
  if (standing === READY) await wakeLanes(tx, [row]);
  if (given !== undefined) {
    await tx.run(ADD_ANSWER, [row.id, row.stage, given, row.now]);
    await tx.run(ADD_STEPS_FLAG, [row.id]);
  }
  return "done";
}

export async function setPaused(core: Core, kind: string, paused: boolean): Promise<ControlAnswer> {
  const rows = await core.connections.write.run(SET_PAUSED, [paused, kind]);
  if (rows.length === 0) return "not-found";
  core.voice.say("work");
  return "done";
}

export async function forget(core: Core, jobIds: string[]): Promise<ControlAnswer[]> {
  const keys = jobIds.map((jobId) => core.ids.decode(jobId) ?? -1);
  return core.connections.write.transact((tx) => forgetIn(core, tx, keys));
}

export async function forgetIn(core: Core, tx: OwnTransaction, keys: number[]): Promise<ControlAnswer[]> {
  const needed = await neededJobs(tx, keys);
  const sorted = keys.filter((key) => !needed.has(key)).sort((a, b) => a - b);
  const deleted = await tx.run<{ id: number; flags: number }>(FORGET, [numbers(sorted)]);
  await forgetEdges(core, tx, deleted);
  await deleteBelongings(tx, deleted);
  if (deleted.some(({ flags }) => flags & HOLDS_KEY)) tx.afterCommit(async () => tellOfWork(core));
  const rows = await tx.run<{ id: number; standing: number }>(LIVE, [numbers(keys)]);
  const gone = new Set(deleted.map(({ id }) => id));
  const live = new Map(rows.map((row) => [row.id, row]));
  return keys.map((key): ControlAnswer => {
    const row = live.get(key);
    const refusal = row && refuseForgetting(row);
    if (refusal) return refusal;
    const parent = needed.get(key);
    if (parent !== undefined) return neededByParent(core.ids.encode(parent));
    return gone.delete(key) ? "done" : "not-found";
  });
}

export async function revive(core: Core, jobId: string, options: ReviveOptions): Promise<ReviveAnswer> {
  const key = core.ids.decode(jobId) ?? -1;
  await readyRevivals(core, [key]);
  const answer = await core.connections.write.transact((tx) => reviveIn(core, tx, key, options));
  if (typeof answer === "object" && "revived" in answer) core.voice.say("work");
  return answer;
}

/** Jobs that others wait for are revived on the twins of their plans, which are made before the transaction. */
export async function readyRevivals(core: Core, keys: readonly number[]): Promise<void> {
  const rows = await core.connections.write.run<{ stage: number }>(STAGES_OF_AWAITED, [numbers([...keys])]);
  if (rows.length === 0) return;
  const stages = rows.map(({ stage }) => stage);
  await core.names.knowStages(stages);
  await readyTwins(core, stages, core.clock.now());
}

export async function reviveIn(
  core: Core,
  tx: OwnTransaction,
  key: number,
  options: ReviveOptions,
): Promise<ReviveAnswer> {
  const old = await lockRow(core, tx, key);
  if (!old) return "not-found";
  const refusal = refuseRevival(old, options, core.ids.encode);
  if (refusal) return refusal;
  const failedStage = core.names.stage(old.stage);
  const { uniqueKey } = options;
  if (uniqueKey !== undefined) {
    await lock(tx, core.connections.target.schema, [`unique ${uniqueName(failedStage.kind, old.tenant, uniqueKey)}`]);
    const [owner] = await tx.run<{ id: number; stage: number; standing: number }>(FIND_UNIQUE, [
      failedStage.kind,
      old.tenant,
      uniqueKey,
    ]);
    if (owner) {
      await core.names.knowStages([owner.stage]);
      return revivalKeyTaken(uniqueKey, keyOwner(core, owner));
    }
  }
  const { fresh, standing, runAt, flags, oldStanding, concurrencyKey } = planRevival(old, options, old.now);
  const start = fresh ? (core.names.stagesOf(failedStage)[0] ?? failedStage) : failedStage;
  const stage = await outsidePin(core, tx, start);
  const payload = options.payload ?? null;
  const values = [old.id, stage.id, standing, runAt, flags, old.now, payload, fresh, concurrencyKey];
  const rows = await tx.run<NamedRow>(REVIVE, values);
  const [accepted] = (await toJobs(core, rows)) as [Job];
  const revived = rows[0]?.id as number;
  if (flags & HAS_STEPS) await tx.run(COPY_STEPS, [revived, old.id]);
  await copyWaits(tx, old.id, revived, flags);
  await repin(tx, revived, { from: failedStage, to: stage });
  await copyStreams(core, tx, old.id, { id: revived, stage: stage.id }, flags);
  if (uniqueKey !== undefined)
    await putUnique(tx, [{ kind: stage.kind, tenant: old.tenant, key: uniqueKey, job: revived }]);
  if (standing === READY) await wakeLanes(tx, [{ stage: stage.id, tenant: old.tenant }]);
  if (flags & HOLDS_KEY) await passPlace(tx, old.id, revived);
  else if (old.flags & HOLDS_KEY) await leavePlaces(tx, [old.id]);
  await tx.run(LINK_REVIVED, [old.id, revived, oldStanding, old.now]);
  await standIn(core, tx, old.id, revived);
  if (!fresh) await takeChildren(core, tx, old, revived);
  return { revived: accepted.id, accepted };
}

/** A job moves from one table to the other once: not found in the first, it is in the second. */
export async function lockRow(core: Core, tx: StatementRunner, key: number): Promise<LockedRow | undefined> {
  const [live] = await tx.run<LockedRow>(LOCK_LIVE, [core.clock.given, key]);
  const row = live ?? (await tx.run<LockedRow>(LOCK_FINISHED, [core.clock.given, key]))[0];
  if (row) await core.names.knowStages([row.stage]);
  return row;
}
