import { BATCH_KEPT_MS } from "../../decide/batches.ts";
import type { Core } from "../core.ts";

const OLD = "SELECT id FROM batch WHERE ended_at <= ? ORDER BY ended_at LIMIT 1";
const DELETE_EDGES = "DELETE FROM edge WHERE id IN (SELECT id FROM edge WHERE batch = ? LIMIT ?)";
const DELETE = "DELETE FROM batch WHERE id = ?";

/** Deletes ended batches, the oldest first, with what leads to their members. The members have a retention of their own. */
export function pruneBatches(core: Core, limit: number): number {
  let room = limit;
  while (room > 0) {
    const old = core.statement(OLD).get(core.ages.before(BATCH_KEPT_MS)) as { id: number } | undefined;
    if (!old) break;
    const { changes } = core.statement(DELETE_EDGES).run(old.id, room);
    if (Number(changes) < room) core.statement(DELETE).run(old.id);
    room -= Math.max(1, Number(changes));
  }
  return limit - Math.max(0, room);
}
