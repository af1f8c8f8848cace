import { HAS_LARGE_PAYLOAD, HAS_LARGE_RESULT, HAS_STEPS, HELD, SCHEDULED } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { type JobColumnName, REVIVED_COLUMNS } from "../../columns/job-columns.ts";
import { decideRelease, refuseForgetting } from "../../decide/release.ts";
import { planRevival, type Revival, refuseRevival, restartedTimes, revivalKeyTaken } from "../../decide/revival.ts";
import { HOLDS_KEY, needsKey } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { ControlAnswer, ReviveAnswer, ReviveOptions } from "../../verbs/jobs.ts";
import { forgetEdges, refuseNeeded } from "../children/forget.ts";
import { standIn, takeChildren } from "../children/stand-in.ts";
import type { Core } from "../core.ts";
import { findRow, IN_ROW_CHARS, payloadOf, putPayloadBody, putResultBody, resultOf, toJob } from "../read/row.ts";
import { outsidePin, repin } from "../register/unpin.ts";
import { copyStreams } from "../streams/copy.ts";
import { keyOwner } from "../submit/facts.ts";
import { PUT_UNIQUE } from "../submit/insert.ts";
import { findUnique } from "../submit/unique-key.ts";
import { copyWaits } from "../waits/copy.ts";
import { deleteRow } from "./delete.ts";

const RELEASE =
  "UPDATE job SET standing = ?, run_at = ?, updated_at = ?, held_for = NULL, expires_at = NULL WHERE id = ?";
const ADD_ANSWER = `INSERT INTO step (job, stage, name, value, saved_at)
  SELECT ?1, ?2, 'released:' || (1 + count(*)), ?3, ?4 FROM step WHERE job = ?1 AND stage = ?2 AND name GLOB 'released:*'`;
const ADD_FLAG = "UPDATE job SET flags = flags | ? WHERE id = ?";
const SET_PAUSED = "UPDATE kind SET paused = ? WHERE name = ?";
/** The columns that a revived job gets new values for; the others are copied from the old job. */
const OWN = [
  "id",
  "stage",
  "standing",
  "run_at",
  "flags",
  "created_at",
  "updated_at",
  "retry_of",
] satisfies JobColumnName[];
const REVIVED = [...OWN, ...REVIVED_COLUMNS];
const REVIVE = `INSERT INTO job (${listOf(REVIVED)}) VALUES (${REVIVED.map(() => "?").join(", ")})`;
const LINK_REVIVED = `UPDATE job SET retried_as = ?1, standing = ?2, updated_at = ?3, finished_at = ?3,
  flags = flags & ~${HOLDS_KEY} WHERE id = ?4`;
const COPY_STEPS = `INSERT INTO step (job, stage, name, value, saved_at)
  SELECT ?, stage, name, value, saved_at FROM step WHERE job = ?`;

export function release(core: Core, jobId: string, answer?: string): ControlAnswer {
  const row = findRow(core, core.ids.decode(jobId) ?? -1);
  if (!row) return "not-found";
  const now = core.clock.now();
  const released = decideRelease(row, now);
  if ("conflict" in released) return released;
  const standing = needsKey(row.flags) ? SCHEDULED : released.standing;
  core.statement(RELEASE).run(standing, now, now, row.id);
  core.counts.move(row.stage, row.tenant, HELD, standing);
  if (needsKey(row.flags)) core.places.arrive(row.id);
  if (answer !== undefined) {
    core.statement(ADD_ANSWER).run(row.id, row.stage, answer, now);
    core.statement(ADD_FLAG).run(HAS_STEPS, row.id);
  }
  return "done";
}

export function setPaused(core: Core, kind: string, paused: boolean): ControlAnswer {
  const { changes } = core.statement(SET_PAUSED).run(paused ? 1 : 0, kind);
  return Number(changes) > 0 ? "done" : "not-found";
}

export function forget(core: Core, jobIds: string[]): ControlAnswer[] {
  return jobIds.map((jobId) => {
    const row = findRow(core, core.ids.decode(jobId) ?? -1);
    if (!row) return "not-found";
    const refusal = refuseForgetting(row) ?? refuseNeeded(core, row);
    if (refusal) return refusal;
    forgetEdges(core, row);
    deleteRow(core, row);
    return "done";
  });
}

export function revive(core: Core, jobId: string, options: ReviveOptions): ReviveAnswer {
  const old = findRow(core, core.ids.decode(jobId) ?? -1);
  if (!old) return "not-found";
  const refusal = refuseRevival(old, options, core.ids.encode);
  if (refusal) return refusal;
  const { uniqueKey } = options;
  const failedStage = core.names.stage(old.stage);
  const owner = uniqueKey === undefined ? undefined : findUnique(core, failedStage.kind, old.tenant, uniqueKey);
  if (uniqueKey !== undefined && owner !== undefined) return revivalKeyTaken(uniqueKey, keyOwner(core, owner));
  const now = core.clock.now();
  const revival = planRevival(old, options, now);
  const stage = outsidePin(core, revival.fresh ? (core.names.stagesOf(failedStage)[0] ?? failedStage) : failedStage);
  const key = insertRevived(core, old, { ...revival, stage: stage.id, now, payload: options.payload });
  repin(core, key, { from: failedStage, to: stage });
  copyStreams(core, old.id, { id: key, stage: stage.id }, revival.flags);
  if (uniqueKey !== undefined) core.statement(PUT_UNIQUE).run(stage.kind, old.tenant, uniqueKey, key);
  core.counts.enter(stage.id, old.tenant, revival.standing);
  if (revival.flags & HOLDS_KEY) core.places.pass(old.id, key);
  else if (old.flags & HOLDS_KEY) core.places.leave(old.id);
  if (needsKey(revival.flags) && revival.runAt <= now) core.places.arrive(key);
  core.statement(LINK_REVIVED).run(key, revival.oldStanding, now, old.id);
  standIn(core, old.id, key);
  if (!revival.fresh) takeChildren(core, old, key);
  core.counts.move(old.stage, old.tenant, old.standing, revival.oldStanding);
  return { revived: core.ids.encode(key), accepted: toJob(core, findRow(core, key) as JobRow) };
}

function insertRevived(
  core: Core,
  old: JobRow,
  { fresh, standing, runAt, flags, concurrencyKey, stage, now, payload: edited }: RevivedJob,
): number {
  const key = core.meta.nextJobKey();
  const payload = edited ?? payloadOf(core, old);
  const result = fresh ? undefined : resultOf(core, old);
  const isLong = (text: string | undefined) => text !== undefined && text.length > IN_ROW_CHARS;
  const row: JobRow = {
    ...old,
    ...restartedTimes(old, now),
    id: key,
    stage,
    standing,
    run_at: runAt,
    flags: flags | (isLong(payload) ? HAS_LARGE_PAYLOAD : 0) | (isLong(result) ? HAS_LARGE_RESULT : 0),
    created_at: now,
    updated_at: now,
    retry_of: old.id,
    payload: isLong(payload) ? null : payload,
    concurrency_key: concurrencyKey,
    output: isLong(result) ? null : (result ?? null),
  };
  core.statement(REVIVE).run(...REVIVED.map((name) => row[name]));
  if (isLong(payload)) putPayloadBody(core, key, payload);
  if (result !== undefined && isLong(result)) putResultBody(core, key, result);
  if (flags & HAS_STEPS) core.statement(COPY_STEPS).run(key, old.id);
  copyWaits(core, old.id, key, flags);
  return key;
}

interface RevivedJob extends Revival {
  readonly stage: number;
  readonly now: number;
  /** The edited payload. Undefined: the payload of the old job. */
  readonly payload: string | undefined;
}
