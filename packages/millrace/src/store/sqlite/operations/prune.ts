import { COLLECTED_MS, OPERATION_KEPT_MS, UNDO_MS } from "../../decide/operations/operations.ts";
import { COLLECTING } from "../../rows/operation-row.ts";
import type { Core } from "../core.ts";

const OLD = `SELECT id FROM operation WHERE ended_at <= ?1 OR (state = ${COLLECTING} AND updated_at <= ?2) LIMIT 1`;
const DELETE = "DELETE FROM operation WHERE id = ?";
const DELETE_PARTS = `DELETE FROM operation_part WHERE (operation, part) IN (SELECT operation, part FROM operation_part
  WHERE operation IN (SELECT id FROM operation WHERE ended_at IS NOT NULL OR (state = ${COLLECTING} AND updated_at <= ?1)) LIMIT ?2)`;
const DELETE_DONE = `DELETE FROM operation_done WHERE (operation, part) IN (SELECT operation, part FROM operation_done
  WHERE operation IN (SELECT id FROM operation WHERE ended_at <= ?1) LIMIT ?2)`;

export function pruneOperations(core: Core, limit: number): number {
  if (limit <= 0) return 0;
  const now = core.clock.now();
  const most = Math.min(limit, 50);
  let deleted = Number(core.statement(DELETE_PARTS).run(now - COLLECTED_MS, most).changes);
  deleted += Number(core.statement(DELETE_DONE).run(core.ages.before(UNDO_MS), most).changes);
  if (deleted > 0) return deleted;
  const old = core.statement(OLD).get(core.ages.before(OPERATION_KEPT_MS), now - COLLECTED_MS) as
    | { id: number }
    | undefined;
  if (old) core.statement(DELETE).run(old.id);
  return old ? 1 : 0;
}
