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
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const FIND = "SELECT * FROM millrace.operation WHERE id = $1";
const LOCK = `SELECT *, ${NOW} AS now FROM millrace.operation WHERE id = $2 FOR UPDATE`;
const LIST = `SELECT * FROM millrace.operation WHERE state <> ${COLLECTING} AND ($1::text IS NULL OR tenant = $1)
  AND (NOT $2::boolean OR ended_at IS NULL) AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`;
const PART = "SELECT part, jobs FROM millrace.operation_part WHERE operation = $1 AND part >= $2 ORDER BY part LIMIT 1";
const SET_STATE = `UPDATE millrace.operation SET state = $1, updated_at = $2, ended_at = $3, waits_for = NULL, rate = 0
  WHERE id = $4`;
const SET_ERRORS = "UPDATE millrace.operation SET errors = $1 WHERE id = $2";

export type LockedOperation = OperationRow & { now: number };

export async function lockOperation(
  core: Core,
  tx: StatementRunner,
  operationId: string,
): Promise<LockedOperation | undefined> {
  const id = core.operationIds.decode(operationId) ?? -1;
  return (await tx.run<LockedOperation>(LOCK, [core.clock.given, id]))[0];
}

export async function findOperation(core: Core, operationId: string): Promise<StoredOperation | undefined> {
  const id = core.operationIds.decode(operationId) ?? -1;
  const [row] = await core.connections.write.run<OperationRow>(FIND, [id]);
  return row && operationOf(row, core.operationIds);
}

export async function operations(
  core: Core,
  { tenant, live, beforeId, limit }: OperationFilter,
): Promise<StoredOperation[]> {
  const before = beforeId === undefined ? null : (core.operationIds.decode(beforeId) ?? -1);
  const values = [tenant ?? null, live === true, before, limit];
  const rows = await core.connections.read.run<OperationRow>(LIST, values);
  return rows.map((row) => operationOf(row, core.operationIds));
}

export async function nextOfOperation(
  core: Core,
  operationId: string,
  limit: number,
): Promise<OperationTask | undefined> {
  const db = core.connections.write;
  const [row] = await db.run<OperationRow>(FIND, [core.operationIds.decode(operationId) ?? -1]);
  if (row?.state !== RUNS) return undefined;
  const [part] = await db.run<{ part: number; jobs: string }>(PART, [row.id, row.part]);
  const place = part?.part === row.part ? row.place : 0;
  const jobs = part ? jobsOfPart(part.jobs).slice(place, place + limit) : [];
  return {
    operation: operationOf(row, core.operationIds),
    cursor: { part: row.part, place: row.place },
    jobIds: jobs.map(({ key }) => core.ids.encode(key)),
  };
}

export function controlOperation(
  core: Core,
  operationId: string,
  what: "pause" | "resume" | "stop",
): Promise<ControlAnswer> {
  return core.connections.write.transact(async (tx) => {
    const row = await lockOperation(core, tx, operationId);
    if (!row) return "not-found";
    const state = controlledState(row.state, what);
    if (typeof state === "object") return state;
    if (state !== row.state) await tx.run(SET_STATE, [state, row.now, state === STOPPED ? row.now : null, row.id]);
    return "done";
  });
}

export function failOperation(
  core: Core,
  operationId: string,
  { code, message }: { code: string; message: string },
): Promise<ControlAnswer> {
  return core.connections.write.transact(async (tx) => {
    const row = await lockOperation(core, tx, operationId);
    if (!row) return "not-found";
    if (row.state !== RUNS && row.state !== PAUSED && row.state !== COLLECTING) return "done";
    await tx.run(SET_ERRORS, [JSON.stringify([...JSON.parse(row.errors), { code, message, count: 1 }]), row.id]);
    await tx.run(SET_STATE, [BROKEN, row.now, row.now, row.id]);
    return "done";
  });
}
