import { BATCH_KEPT_MS } from "../../decide/batches.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const OLD = "SELECT id FROM millrace.batch WHERE ended_at <= $1 ORDER BY ended_at LIMIT 1 FOR UPDATE SKIP LOCKED";
const DELETE_EDGES = `DELETE FROM millrace.edge WHERE id = ANY(ARRAY(SELECT id FROM millrace.edge WHERE batch = $1 LIMIT $2))
  RETURNING id`;
const DELETE = "DELETE FROM millrace.batch WHERE id = $1";

/** Deletes ended batches, the oldest first, with what leads to their members. The members have a retention of their own. */
export async function pruneBatches(core: Core, tx: StatementRunner, limit: number): Promise<number> {
  let room = limit;
  while (room > 0) {
    const [old] = await tx.run<{ id: number }>(OLD, [core.ages.before(BATCH_KEPT_MS)]);
    if (!old) break;
    const deleted = (await tx.run(DELETE_EDGES, [old.id, room])).length;
    if (deleted < room) await tx.run(DELETE, [old.id]);
    room -= Math.max(1, deleted);
  }
  return limit - Math.max(0, room);
}
