import { COLLECTED_MS, OPERATION_KEPT_MS, UNDO_MS } from "../../decide/operations/operations.ts";
import { COLLECTING } from "../../rows/operation-row.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const DELETE = `DELETE FROM millrace.operation WHERE id IN (SELECT id FROM millrace.operation
  WHERE ended_at <= $1 OR (state = ${COLLECTING} AND updated_at <= $2) LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`;
const DELETE_PARTS = `DELETE FROM millrace.operation_part WHERE (operation, part) IN (SELECT operation, part FROM millrace.operation_part
  WHERE operation IN (SELECT id FROM millrace.operation WHERE ended_at IS NOT NULL OR (state = ${COLLECTING} AND updated_at <= $1))
  LIMIT $2) RETURNING part`;
const DELETE_DONE = `DELETE FROM millrace.operation_done WHERE (operation, part) IN (SELECT operation, part FROM millrace.operation_done
  WHERE operation IN (SELECT id FROM millrace.operation WHERE ended_at <= $1) LIMIT $2) RETURNING part`;

export async function pruneOperations(core: Core, tx: StatementRunner, now: number, limit: number): Promise<number> {
  const most = Math.min(limit, 50);
  const parts = await tx.run(DELETE_PARTS, [now - COLLECTED_MS, most]);
  const done = await tx.run(DELETE_DONE, [core.ages.before(UNDO_MS), most]);
  if (parts.length + done.length > 0) return parts.length + done.length;
  return (await tx.run(DELETE, [core.ages.before(OPERATION_KEPT_MS), now - COLLECTED_MS])).length;
}
