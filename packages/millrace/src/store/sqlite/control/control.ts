import { standingWhenDue } from "../../../job/crash.ts";
import { STANDINGS, type Standing, stateOf } from "../../../job/job.ts";
import {
  CANCELLED,
  COMPLETED,
  codeOf,
  FAILED,
  HAS_LARGE_OUTPUT,
  HAS_LARGE_PAYLOAD,
  HAS_STEPS,
  HAS_UNIQUE_KEY,
  HELD,
  READY,
  REJECTED,
  SCHEDULED,
} from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { ControlAnswer, ReviveAnswer, ReviveOptions } from "../../store.ts";
import type { Core } from "../core.ts";
import { findRow, IN_ROW_CHARS, outputOf, payloadOf, putOutputBody, putPayloadBody, toJob } from "../read/row.ts";
import { outsidePin } from "../register/deployments.ts";
import { PUT_UNIQUE } from "../submit/insert.ts";
import { findUnique } from "../submit/join.ts";
import { uniqueConflict } from "../submit/submit.ts";
import { deleteRow } from "./delete.ts";

const RELEASE =
  "UPDATE job SET standing = ?, run_at = ?, updated_at = ?, held_for = NULL, expires_at = NULL WHERE id = ?";
const ADD_ANSWER = `INSERT INTO step (job, stage, name, value, saved_at)
  SELECT ?1, ?2, 'released:' || (1 + count(*)), ?3, ?4 FROM step WHERE job = ?1 AND stage = ?2 AND name GLOB 'released:*'`;
const ADD_FLAG = "UPDATE job SET flags = flags | ? WHERE id = ?";
const SET_PAUSED = "UPDATE kind SET paused = ? WHERE name = ?";
const REVIVE = `INSERT INTO job (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, max_attempts,
  timeout_ms, payload, output, tags, trace, retry_of)
  VALUES (?1, ?2, ?3, ?14, ?4, ?15, ?6, ?5, ?5, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`;
const LINK_REVIVED = "UPDATE job SET retried_as = ?1, standing = ?2, updated_at = ?3, finished_at = ?3 WHERE id = ?4";
const COPY_STEPS = `INSERT INTO step (job, stage, name, value, saved_at)
  SELECT ?, stage, name, value, saved_at FROM step WHERE job = ?`;

export function release(core: Core, jobId: string, answer?: string): ControlAnswer {
  const row = findRow(core, core.ids.decode(jobId) ?? -1);
  if (!row) return "not-found";
  if (row.standing !== HELD) return { conflict: `The job is ${stateName(row)}, not held.` };
  const now = core.clock.now();
  if (row.expires_at !== null && row.expires_at <= now) return { conflict: "The job's hold has expired." };
  const standing = codeOf[standingWhenDue(row)];
  core.statement(RELEASE).run(standing, now, now, row.id);
  core.counts.move(row.stage, row.tenant, HELD, standing);
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
    if (row.standing < COMPLETED) return { conflict: `The job is ${stateName(row)}; cancel it first.` };
    deleteRow(core, row);
    return "done";
  });
}

/**
 * A new job with the same payload (or an edited one) and no attempts behind it, linked both ways. It keeps the finished
 * stages and steps and starts at the stage that failed, unless it is to start anew. The old one is no dead letter any more.
 */
export function revive(core: Core, jobId: string, options: ReviveOptions): ReviveAnswer {
  const old = findRow(core, core.ids.decode(jobId) ?? -1);
  if (!old) return "not-found";
  if (old.retried_as !== null) {
    return { conflict: "The job was revived before.", code: "conflict", jobId: core.ids.encode(old.retried_as) };
  }
  if (old.standing !== FAILED && old.standing !== REJECTED && old.standing !== CANCELLED) {
    return {
      conflict: `The job is ${stateName(old)}; only failed and cancelled ones can be revived.`,
      code: "conflict",
    };
  }
  const now = core.clock.now();
  const { uniqueKey } = options;
  const inTheWay =
    uniqueKey === undefined ? undefined : findUnique(core, core.names.stage(old.stage).kind, old.tenant, uniqueKey);
  if (inTheWay !== undefined) {
    const { message, code, jobId } = uniqueConflict(core, inTheWay, uniqueKey as string);
    return { conflict: message, code, ...(jobId && { jobId }) };
  }
  const fresh = options.from === "start" || options.payload !== undefined;
  const failedStage = core.names.stage(old.stage);
  const stage = outsidePin(core, fresh ? (core.names.stagesOf(failedStage)[0] ?? failedStage) : failedStage);
  const key = core.meta.nextJobKey();
  const payload = options.payload ?? payloadOf(core, old);
  const output = fresh ? undefined : outputOf(core, old);
  const largePayload = payload.length > IN_ROW_CHARS;
  const largeOutput = output !== undefined && output.length > IN_ROW_CHARS;
  const flags =
    (largePayload ? HAS_LARGE_PAYLOAD : 0) |
    (largeOutput ? HAS_LARGE_OUTPUT : 0) |
    (fresh ? 0 : old.flags & HAS_STEPS) |
    (uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY);
  const delayMs = Math.max(0, options.delayMs ?? 0);
  const revivedStanding = delayMs > 0 ? SCHEDULED : READY;
  core
    .statement(REVIVE)
    .run(
      key,
      stage.id,
      old.tenant,
      old.priority,
      now,
      flags,
      old.max_attempts,
      old.timeout_ms,
      largePayload ? null : payload,
      largeOutput ? null : (output ?? null),
      old.tags,
      old.trace,
      old.id,
      revivedStanding,
      now + delayMs,
    );
  if (largePayload) putPayloadBody(core, key, payload);
  if (largeOutput) putOutputBody(core, key, output);
  if (flags & HAS_STEPS) core.statement(COPY_STEPS).run(key, old.id);
  if (uniqueKey !== undefined) core.statement(PUT_UNIQUE).run(stage.kind, old.tenant, uniqueKey, key);
  core.counts.enter(stage.id, old.tenant, revivedStanding);
  // It leaves the dead letters and is kept no longer than any other finished job.
  const standing = old.standing === FAILED ? REJECTED : old.standing;
  core.statement(LINK_REVIVED).run(key, standing, now, old.id);
  core.counts.move(old.stage, old.tenant, old.standing, standing);
  return { revived: core.ids.encode(key), accepted: toJob(core, findRow(core, key) as JobRow) };
}

function stateName(row: JobRow): string {
  return stateOf(STANDINGS[row.standing] as Standing);
}
