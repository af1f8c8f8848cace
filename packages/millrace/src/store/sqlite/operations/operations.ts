import { controlledState } from "../../decide/operations/operations.ts";
import {
  BROKEN,
  COLLECTING,
  jobsOfPart,
  type OperationRow,
  operationOf,
  PAUSED,
  RUNS,
  STOPPED,
} from "../../rows/operation-row.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { OperationFilter, OperationTask, StoredOperation } from "../../verbs/operations/operations.ts";
import type { Core, ReadView } from "../core.ts";

const FIND = "SELECT * FROM operation WHERE id = ?";
const LIST = `SELECT * FROM operation WHERE state <> ${COLLECTING} AND (?1 IS NULL OR tenant = ?1) AND (?2 = 0 OR ended_at IS NULL)
  AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4`;
const PART = "SELECT part, jobs FROM operation_part WHERE operation = ? AND part >= ? ORDER BY part LIMIT 1";
const SET_STATE =
  "UPDATE operation SET state = ?1, updated_at = ?2, ended_at = ?3, waits_for = NULL, rate = 0 WHERE id = ?4";
const SET_ERRORS = "UPDATE operation SET errors = ? WHERE id = ?";

export function findOperationRow(core: ReadView, operationId: string): OperationRow | undefined {
  return core.statement(FIND).get(core.operationIds.decode(operationId) ?? -1) as OperationRow | undefined;
}

export function findOperation(core: ReadView, operationId: string): StoredOperation | undefined {
  const row = findOperationRow(core, operationId);
  return row && operationOf(row, core.operationIds);
}

export function operations(core: ReadView, { tenant, live, beforeId, limit }: OperationFilter): StoredOperation[] {
  const before = beforeId === undefined ? null : (core.operationIds.decode(beforeId) ?? -1);
  const rows = core.statement(LIST).all(tenant ?? null, live ? 1 : 0, before, limit) as unknown as OperationRow[];
  return rows.map((row) => operationOf(row, core.operationIds));
}

export function nextOfOperation(core: Core, operationId: string, limit: number): OperationTask | undefined {
  const row = findOperationRow(core, operationId);
  if (row?.state !== RUNS) return undefined;
  const part = core.statement(PART).get(row.id, row.part) as { part: number; jobs: string } | undefined;
  const place = part?.part === row.part ? row.place : 0;
  const jobs = part ? jobsOfPart(part.jobs).slice(place, place + limit) : [];
  return {
    operation: operationOf(row, core.operationIds),
    cursor: { part: row.part, place: row.place },
    jobIds: jobs.map(({ key }) => core.ids.encode(key)),
  };
}

export function controlOperation(core: Core, operationId: string, what: "pause" | "resume" | "stop"): ControlAnswer {
  const row = findOperationRow(core, operationId);
  if (!row) return "not-found";
  const state = controlledState(row.state, what);
  if (typeof state === "object") return state;
  const now = core.clock.now();
  if (state !== row.state) core.statement(SET_STATE).run(state, now, state === STOPPED ? now : null, row.id);
  return "done";
}

export function failOperation(
  core: Core,
  operationId: string,
  { code, message }: { code: string; message: string },
): ControlAnswer {
  const row = findOperationRow(core, operationId);
  if (!row) return "not-found";
  if (row.state !== RUNS && row.state !== PAUSED && row.state !== COLLECTING) return "done";
  const now = core.clock.now();
  core.statement(SET_ERRORS).run(JSON.stringify([...JSON.parse(row.errors), { code, message, count: 1 }]), row.id);
  core.statement(SET_STATE).run(BROKEN, now, now, row.id);
  return "done";
}
