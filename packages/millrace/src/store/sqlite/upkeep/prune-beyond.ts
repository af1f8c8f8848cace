// Deletes finished jobs beyond a bound on their number, over all stages.

import { CANCELLED, COMPLETED, FAILED, REJECTED } from "../../codes.ts";
import { keptMs } from "../../decide/settlement.ts";
import { IS_NEEDED } from "../children/forget.ts";
import { deleteRows } from "../control/delete.ts";
import type { Core } from "../core.ts";

const OLDEST_JOBS = `SELECT id, stage, tenant, standing, flags, finished_at FROM job
  WHERE stage = ? AND standing = ? AND finished_at IS NOT NULL AND NOT (${IS_NEEDED}) ORDER BY finished_at LIMIT ?`;
const COUNTED = `SELECT sum(completed) AS completed, sum(cancelled) AS cancelled, sum(rejected) AS rejected,
  sum(failed) AS failed FROM stage`;

/** Returns how many were deleted. The jobs whose own time would be over first go first. */
export function pruneBeyond(core: Core, limit: number): number {
  const { jobKeepMax, dlqKeepMax } = core.options.limits;
  const finished = pruneTo(core, [COMPLETED, CANCELLED, REJECTED], jobKeepMax, limit);
  return finished + pruneTo(core, [FAILED], dlqKeepMax, limit - finished);
}

function pruneTo(core: Core, standings: number[], bound: number, limit: number): number {
  if (limit <= 0 || bound === 0) return 0;
  core.counts.flush();
  const { completed, cancelled, rejected, failed } = core.statement(COUNTED).get() as EndedCounts;
  const counts: Record<number, number> = {
    [COMPLETED]: completed,
    [CANCELLED]: cancelled,
    [REJECTED]: rejected,
    [FAILED]: failed,
  };
  const excess = Math.min(limit, standings.reduce((sum, standing) => sum + (counts[standing] ?? 0), 0) - bound);
  if (excess <= 0) return 0;
  // The oldest of each stage and standing come from its index; the first of those are the first of all.
  const oldest = core.names.allStages().flatMap(({ id, kind }) => {
    const rules = core.names.rules(kind);
    return standings.flatMap((standing) => {
      const rows = core.statement(OLDEST_JOBS).all(id, standing, excess);
      return rows.map((row) => ({ row, dueAt: Number(row["finished_at"]) + keptMs(rules, standing) }));
    });
  });
  oldest.sort((a, b) => a.dueAt - b.dueAt);
  return deleteRows(
    core,
    oldest.slice(0, excess).map(({ row }) => row),
  );
}

type EndedCounts = Record<"completed" | "cancelled" | "rejected" | "failed", number>;
