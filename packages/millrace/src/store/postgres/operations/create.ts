import { codeOf } from "../../codes.ts";
import { refuseUndo } from "../../decide/operations/operations.ts";
import { COLLECTING, COMPLETE, type OperationRow, operationOf, RUNS } from "../../rows/operation-row.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { CreatedOperation, NewOperation, StoredOperation } from "../../verbs/operations/operations.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { lockOperation } from "./operations.ts";

const WITH_KEY = "SELECT * FROM millrace.operation WHERE key = $1";
const LIVE = "SELECT * FROM millrace.operation WHERE hash = $1 AND ended_at IS NULL";
const ADD = `INSERT INTO millrace.operation (action, request, hash, made_by, tenant, among, state, key, per_second, undo_of, started_at,
    updated_at, rate_since)
  SELECT $2, $3, $4, $5, $6, $7, ${COLLECTING}, $8, $9, $10, moment.now, moment.now, moment.now FROM (SELECT ${NOW} AS now) AS moment
  RETURNING *`;
const ADD_PART = `INSERT INTO millrace.operation_part (operation, part, count, jobs)
  SELECT $1::bigint, 1 + coalesce(max(part), -1), $2::int, $3::text FROM millrace.operation_part WHERE operation = $1::bigint`;
const TOUCH = "UPDATE millrace.operation SET updated_at = $1 WHERE id = $2";
const COPY_PARTS = `INSERT INTO millrace.operation_part (operation, part, count, jobs)
  SELECT $1::bigint, part, count, jobs FROM millrace.operation_done WHERE operation = $2`;
const START = `UPDATE millrace.operation SET state = $1, total = $2, updated_at = $3, rate_since = $3, ended_at = $4 WHERE id = $5
  RETURNING *`;
const TOTAL = "SELECT coalesce(sum(count), 0)::bigint AS total FROM millrace.operation_part WHERE operation = $1";
const UNDONE = "SELECT id FROM millrace.operation WHERE undo_of = $1";

export function createOperation(core: Core, operation: NewOperation): Promise<CreatedOperation> {
  const { action, request, hash, by, tenant = null, among, key = null, perSecond = null } = operation;
  return core.connections.write.transact(async (tx) => {
    // Of two equal requests at the same time, the second one finds the operation of the first.
    await lock(tx, core.connections.target.schema, ["operations"]);
    const [earlier] = key === null ? [] : await tx.run<OperationRow>(WITH_KEY, [key]);
    if (earlier) return earlier.hash === hash ? { replayed: operationOf(earlier, core.operationIds) } : "key-conflict";
    const [live] = await tx.run<OperationRow>(LIVE, [hash]);
    if (live) return { running: operationOf(live, core.operationIds) };
    const standings = JSON.stringify(among.map((name) => codeOf[name]));
    const values = [core.clock.given, action, request, hash, by, tenant, standings, key, perSecond, null];
    const [row] = await tx.run<OperationRow>(ADD, values);
    return { created: operationOf(row as OperationRow, core.operationIds) };
  });
}

export function undoOperation(
  core: Core,
  operationId: string,
  by: string,
): Promise<CreatedOperation | { conflict: string } | "not-found"> {
  return core.connections.write.transact(async (tx) => {
    const row = await lockOperation(core, tx, operationId);
    if (!row) return "not-found";
    const refusal = refuseUndo(row, (await tx.run(UNDONE, [row.id])).length > 0, row.now);
    if (refusal) return refusal;
    const { request, tenant, id, now } = row;
    const values = [core.clock.given, "undo", request, `undo ${id}`, by, tenant, "[]", null, null, id];
    const [added] = await tx.run<OperationRow>(ADD, values);
    const undo = added?.id as number;
    await tx.run(COPY_PARTS, [undo, id]);
    return { created: await start(core, tx, undo, now) };
  });
}

export function addToOperation(core: Core, operationId: string, jobIds: string[]): Promise<ControlAnswer> {
  return core.connections.write.transact(async (tx) => {
    const row = await lockOperation(core, tx, operationId);
    if (row?.state !== COLLECTING) return "not-found";
    const keys = jobIds.map((jobId) => core.ids.decode(jobId)).filter((key) => key !== undefined);
    await tx.run(ADD_PART, [row.id, keys.length, JSON.stringify(keys)]);
    await tx.run(TOUCH, [row.now, row.id]);
    return "done";
  });
}

export function startOperation(core: Core, operationId: string): Promise<StoredOperation | undefined> {
  return core.connections.write.transact(async (tx) => {
    const row = await lockOperation(core, tx, operationId);
    if (!row) return undefined;
    return row.state === COLLECTING ? start(core, tx, row.id, row.now) : operationOf(row, core.operationIds);
  });
}

async function start(core: Core, tx: StatementRunner, id: number, now: number): Promise<StoredOperation> {
  const [sum] = await tx.run<{ total: number }>(TOTAL, [id]);
  const total = sum?.total ?? 0;
  const values = total === 0 ? [COMPLETE, 0, now, now, id] : [RUNS, total, now, null, id];
  const [row] = await tx.run<OperationRow>(START, values);
  return operationOf(row as OperationRow, core.operationIds);
}
