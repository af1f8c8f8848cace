import { type ActResult, ActTally, allowance, QUEUE_FULL, QUEUE_WAIT_MS } from "../../decide/operations/operations.ts";
import { COMPLETE, jobsOfPart, type OperationRow, operationOf, RUNS } from "../../rows/operation-row.ts";
import type { AdvanceAnswer, OperationAdvance, OperationRequest } from "../../verbs/operations/operations.ts";
import type { Core } from "../core.ts";
import { actOn } from "./act.ts";
import { findOperationRow } from "./operations.ts";
import { StageRooms } from "./rooms.ts";
import { undoRevival } from "./undo.ts";

const PART = "SELECT count, jobs FROM operation_part WHERE operation = ? AND part = ?";
const NEXT_PART = "SELECT min(part) AS part FROM operation_part WHERE operation = ? AND part > ?";
const ADD_DONE = `INSERT INTO operation_done (operation, part, count, jobs)
  SELECT ?1, 1 + coalesce(max(part), -1), ?2, ?3 FROM operation_done WHERE operation = ?1`;
const ADVANCE = `UPDATE operation SET done = ?, skipped = ?, failed = ?, errors = ?, part = ?, place = ?, paced_at = ?, rate = ?,
    rate_since = ?, rate_count = ?, waits_for = ?, state = ?, updated_at = ?, ended_at = ?
  WHERE id = ? RETURNING *`;

export function advanceOperation(
  core: Core,
  operationId: string,
  { cursor, jobs, budgetMs }: OperationAdvance,
): AdvanceAnswer {
  const row = findOperationRow(core, operationId);
  if (row?.state !== RUNS || row.part !== cursor.part || row.place !== cursor.place) return "moved";
  const { count, waitMs } = allowance(row, core.clock.now());
  if (waitMs !== undefined) return { operation: operationOf(row, core.operationIds), changed: [], waitMs };
  const tally = new ActTally(row);
  const isFull = act(core, row, tally, { jobs: jobs.slice(0, count), until: performance.now() + budgetMs });
  const operation = operationOf(written(core, row, tally, isFull), core.operationIds);
  return { operation, changed: tally.changed, ...(isFull && { waitMs: QUEUE_WAIT_MS }) };
}

/** Returns true if a queue had no room for the next job. */
function act(
  core: Core,
  row: OperationRow,
  tally: ActTally,
  { jobs, until }: { jobs: OperationAdvance["jobs"]; until: number },
): boolean {
  const request = JSON.parse(row.request) as OperationRequest;
  const rooms = new StageRooms(core);
  const before = row.action === "undo" ? standingsBefore(core, row) : undefined;
  for (const [i, { jobId, uniqueKey }] of jobs.entries()) {
    if (i > 0 && performance.now() >= until) return false;
    const key = core.ids.decode(jobId) ?? -1;
    const result: ActResult = before
      ? undoRevival(core, key, before.get(key))
      : actOn(core, row, { key, jobId, uniqueKey, request, rooms });
    if (result === "full") return true;
    tally.add(jobId, key, result);
  }
  return false;
}

function standingsBefore(core: Core, { id, part }: OperationRow): Map<number, number | undefined> {
  const found = core.statement(PART).get(id, part) as { jobs: string } | undefined;
  return new Map(jobsOfPart(found?.jobs ?? "[]").map(({ key, was }) => [key, was]));
}

function written(core: Core, row: OperationRow, tally: ActTally, isFull: boolean): OperationRow {
  const now = core.clock.now();
  const { undoable } = tally;
  if (undoable.length > 0) core.statement(ADD_DONE).run(row.id, undoable.length, JSON.stringify(undoable));
  const progress = tally.progress(now, isFull ? QUEUE_FULL : null);
  const found = core.statement(PART).get(row.id, row.part) as { count: number } | undefined;
  const isPartDone = progress.place >= (found?.count ?? 0);
  const next = isPartDone
    ? (core.statement(NEXT_PART).get(row.id, row.part) as { part: number | null }).part
    : row.part;
  return core
    .statement(ADVANCE)
    .get(
      progress.done,
      progress.skipped,
      progress.failed,
      progress.errors,
      next ?? row.part,
      isPartDone ? 0 : progress.place,
      progress.paced_at,
      next === null ? 0 : progress.rate,
      progress.rate_since,
      progress.rate_count,
      progress.waits_for,
      next === null ? COMPLETE : RUNS,
      now,
      next === null ? now : null,
      row.id,
    ) as unknown as OperationRow;
}
