import { standingWhenDue } from "../../../job/crash.ts";
import { type Job, STANDINGS, type Standing, stateOf } from "../../../job/job.ts";
import { CANCELLED, codeOf, FAILED, HAS_STEPS, HAS_UNIQUE_KEY, HELD, READY, REJECTED, SCHEDULED } from "../../codes.ts";
import type { ControlAnswer, ReviveAnswer, ReviveOptions } from "../../store.ts";
import { wakeLanes } from "../claim/lanes.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { type JobRow, type NamedRow, toJobs } from "../read/row.ts";
import { outsidePin } from "../register/deployments.ts";
import { putUnique } from "../submit/insert.ts";
import { uniqueConflict, uniqueName } from "../submit/room.ts";
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
const REVIVE = `INSERT INTO millrace.job (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, max_attempts,
  timeout_ms, payload, output, tags, trace, retry_of)
  SELECT nextval('millrace.job_key'), $2, tenant, $3, priority, $4, $5, $6, $6, max_attempts, timeout_ms, coalesce($7, payload),
  CASE WHEN $8 THEN NULL ELSE output END, tags, trace, id FROM millrace.finished WHERE id = $1
  RETURNING *, (SELECT name FROM millrace.tenant WHERE id = job.tenant) AS tenant_name, NULL AS holder_name`;
const LINK_REVIVED = `UPDATE millrace.finished SET retried_as = $2, standing = $3, updated_at = $4, finished_at = $4 WHERE id = $1`;
const COPY_STEPS = `INSERT INTO millrace.step (job, stage, name, value, saved_at)
  SELECT $1, stage, name, value, saved_at FROM millrace.step WHERE job = $2`;

type Seen = JobRow & { now: number };

export async function release(core: Core, jobId: string, given?: string): Promise<ControlAnswer> {
  const answer = await core.connections.write.transact(async (tx): Promise<ControlAnswer> => {
    const row = await lockRow(core, tx, core.ids.decode(jobId) ?? -1);
    if (!row) return "not-found";
    if (row.standing !== HELD) return { conflict: `The job is ${stateName(row)}, not held.` };
    if (row.expires_at !== null && row.expires_at <= row.now) return { conflict: "The job's hold has expired." };
    const standing = codeOf[standingWhenDue(row)];
    await tx.run(RELEASE, [row.id, standing, row.now]);
    if (standing === READY) await wakeLanes(tx, [row]);
    if (given !== undefined) {
      await tx.run(ADD_ANSWER, [row.id, row.stage, given, row.now]);
      await tx.run(ADD_STEPS_FLAG, [row.id]);
    }
    return "done";
  });
  if (answer === "done") core.voice.say("work");
  return answer;
}

export async function setPaused(core: Core, kind: string, paused: boolean): Promise<ControlAnswer> {
  const rows = await core.connections.write.run(SET_PAUSED, [paused, kind]);
  if (rows.length === 0) return "not-found";
  core.voice.say("work");
  return "done";
}

export async function forget(core: Core, jobIds: string[]): Promise<ControlAnswer[]> {
  const keys = jobIds.map((jobId) => core.ids.decode(jobId) ?? -1);
  const { gone, live } = await core.connections.write.transact(async (tx) => {
    const sorted = [...keys].sort((a, b) => a - b);
    const deleted = await tx.run<{ id: number; flags: number }>(FORGET, [numbers(sorted)]);
    await deleteBelongings(tx, deleted);
    const rows = await tx.run<{ id: number; standing: number }>(LIVE, [numbers(keys)]);
    return { gone: new Set(deleted.map(({ id }) => id)), live: new Map(rows.map((row) => [row.id, row])) };
  });
  return keys.map((key): ControlAnswer => {
    const row = live.get(key);
    if (row) return { conflict: `The job is ${stateName(row)}; cancel it first.` };
    return gone.delete(key) ? "done" : "not-found";
  });
}

/**
 * A new job with the same payload (or an edited one) and no attempts behind it, linked both ways. It keeps the finished
 * stages and steps and starts at the stage that failed, unless it is to start anew. The old one is no dead letter any more.
 */
export async function revive(core: Core, jobId: string, options: ReviveOptions): Promise<ReviveAnswer> {
  const key = core.ids.decode(jobId) ?? -1;
  const answer = await core.connections.write.transact((tx) => reviveIn(core, tx, key, options));
  if (typeof answer === "object" && "revived" in answer) core.voice.say("work");
  return answer;
}

async function reviveIn(core: Core, tx: Runner, key: number, options: ReviveOptions): Promise<ReviveAnswer> {
  const old = await lockRow(core, tx, key);
  if (!old) return "not-found";
  if (old.retried_as !== null) {
    return { conflict: "The job was revived before.", code: "conflict", jobId: core.ids.encode(old.retried_as) };
  }
  if (old.standing !== FAILED && old.standing !== REJECTED && old.standing !== CANCELLED) {
    const conflict = `The job is ${stateName(old)}; only failed and cancelled ones can be revived.`;
    return { conflict, code: "conflict" };
  }
  const failedStage = core.names.stage(old.stage);
  const { uniqueKey } = options;
  if (uniqueKey !== undefined) {
    await lock(tx, core.connections.target.schema, [`unique ${uniqueName(failedStage.kind, old.tenant, uniqueKey)}`]);
    const found = await tx.run<{ id: number; stage: number; standing: number }>(FIND_UNIQUE, [
      failedStage.kind,
      old.tenant,
      uniqueKey,
    ]);
    if (found[0]) {
      await core.names.knowStages([found[0].stage]);
      const { message, code, jobId } = uniqueConflict(core, found[0], uniqueKey);
      return { conflict: message, code, ...(jobId && { jobId }) };
    }
  }
  const fresh = options.from === "start" || options.payload !== undefined;
  const start = fresh ? (core.names.stagesOf(failedStage)[0] ?? failedStage) : failedStage;
  const stage = await outsidePin(core, tx, start);
  const flags = (fresh ? 0 : old.flags & HAS_STEPS) | (uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY);
  const delayMs = Math.max(0, options.delayMs ?? 0);
  const standing = delayMs > 0 ? SCHEDULED : READY;
  const rows = await tx.run<NamedRow>(REVIVE, [
    old.id,
    stage.id,
    standing,
    old.now + delayMs,
    flags,
    old.now,
    options.payload ?? null,
    fresh,
  ]);
  const [accepted] = (await toJobs(core, rows)) as [Job];
  const revived = rows[0]?.id as number;
  if (flags & HAS_STEPS) await tx.run(COPY_STEPS, [revived, old.id]);
  if (uniqueKey !== undefined)
    await putUnique(tx, [{ kind: stage.kind, tenant: old.tenant, key: uniqueKey, job: revived }]);
  if (standing === READY) await wakeLanes(tx, [{ stage: stage.id, tenant: old.tenant }]);
  // It leaves the dead letters and is kept no longer than any other finished job.
  await tx.run(LINK_REVIVED, [old.id, revived, old.standing === FAILED ? REJECTED : old.standing, old.now]);
  return { revived: accepted.id, accepted };
}

/** A job moves from one table to the other once: not found in the first, it is in the second. */
async function lockRow(core: Core, tx: Runner, key: number): Promise<Seen | undefined> {
  const [live] = await tx.run<Seen>(LOCK_LIVE, [core.clock.given, key]);
  const row = live ?? (await tx.run<Seen>(LOCK_FINISHED, [core.clock.given, key]))[0];
  if (row) await core.names.knowStages([row.stage]);
  return row;
}

function stateName(row: Pick<JobRow, "standing">): string {
  return stateOf(STANDINGS[row.standing] as Standing);
}
