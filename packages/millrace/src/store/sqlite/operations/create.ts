import { codeOf } from "../../codes.ts";
import { refuseUndo } from "../../decide/operations/operations.ts";
import { COLLECTING, COMPLETE, type OperationRow, operationOf, RUNS } from "../../rows/operation-row.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { CreatedOperation, NewOperation, StoredOperation } from "../../verbs/operations/operations.ts";
import type { Core } from "../core.ts";
import { findOperationRow } from "./operations.ts";

const WITH_KEY = "SELECT * FROM operation WHERE key = ?";
const LIVE = "SELECT * FROM operation WHERE hash = ? AND ended_at IS NULL";
const ADD = `INSERT INTO operation (action, request, hash, made_by, tenant, among, state, key, per_second, undo_of, started_at, updated_at,
    rate_since)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ${COLLECTING}, ?7, ?8, ?9, ?10, ?10, ?10) RETURNING *`;
const ADD_PART = `INSERT INTO operation_part (operation, part, count, jobs)
  SELECT ?1, 1 + coalesce(max(part), -1), ?2, ?3 FROM operation_part WHERE operation = ?1`;
const TOUCH = "UPDATE operation SET updated_at = ? WHERE id = ?";
const COPY_PARTS = `INSERT INTO operation_part (operation, part, count, jobs)
  SELECT ?1, part, count, jobs FROM operation_done WHERE operation = ?2`;
const START = `UPDATE operation SET state = ?1, total = ?2, updated_at = ?3, rate_since = ?3, ended_at = ?4 WHERE id = ?5
  RETURNING *`;
const TOTAL = "SELECT coalesce(sum(count), 0) AS total FROM operation_part WHERE operation = ?";
const UNDONE = "SELECT 1 FROM operation WHERE undo_of = ?";

export function createOperation(core: Core, operation: NewOperation): CreatedOperation {
  const { action, request, hash, by, tenant = null, among, key = null, perSecond = null } = operation;
  const earlier = key === null ? undefined : (core.statement(WITH_KEY).get(key) as OperationRow | undefined);
  if (earlier) return earlier.hash === hash ? { replayed: operationOf(earlier, core.operationIds) } : "key-conflict";
  const live = core.statement(LIVE).get(hash) as OperationRow | undefined;
  if (live) return { running: operationOf(live, core.operationIds) };
  const standings = JSON.stringify(among.map((name) => codeOf[name]));
  const values = [action, request, hash, by, tenant, standings, key, perSecond, null, core.clock.now()] as const;
  return { created: operationOf(core.statement(ADD).get(...values) as unknown as OperationRow, core.operationIds) };
}

export function undoOperation(
  core: Core,
  operationId: string,
  by: string,
): CreatedOperation | { conflict: string } | "not-found" {
  const row = findOperationRow(core, operationId);
  if (!row) return "not-found";
  const refusal = refuseUndo(row, core.statement(UNDONE).get(row.id) !== undefined, core.clock.now());
  if (refusal) return refusal;
  const values = [
    "undo",
    row.request,
    `undo ${row.id}`,
    by,
    row.tenant,
    "[]",
    null,
    null,
    row.id,
    core.clock.now(),
  ] as const;
  const { id } = core.statement(ADD).get(...values) as unknown as OperationRow;
  core.statement(COPY_PARTS).run(id, row.id);
  return { created: start(core, id) };
}

export function addToOperation(core: Core, operationId: string, jobIds: string[]): ControlAnswer {
  const row = findOperationRow(core, operationId);
  if (row?.state !== COLLECTING) return "not-found";
  const keys = jobIds.map((jobId) => core.ids.decode(jobId)).filter((key) => key !== undefined);
  core.statement(ADD_PART).run(row.id, keys.length, JSON.stringify(keys));
  core.statement(TOUCH).run(core.clock.now(), row.id);
  return "done";
}

export function startOperation(core: Core, operationId: string): StoredOperation | undefined {
  const row = findOperationRow(core, operationId);
  if (!row) return undefined;
  return row.state === COLLECTING ? start(core, row.id) : operationOf(row, core.operationIds);
}

function start(core: Core, id: number): StoredOperation {
  const now = core.clock.now();
  const { total } = core.statement(TOTAL).get(id) as { total: number };
  const values = total === 0 ? ([COMPLETE, 0, now, now, id] as const) : ([RUNS, total, now, null, id] as const);
  return operationOf(core.statement(START).get(...values) as unknown as OperationRow, core.operationIds);
}
