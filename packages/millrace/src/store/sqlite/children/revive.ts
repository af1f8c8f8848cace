import { endedState, RUNS_YET } from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { DORMANT, OPEN } from "../../waits/codes.ts";
import { revive } from "../control/control.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { joinWait } from "./join.ts";
import { setAwaited } from "./stand-in.ts";

const ENDED_OF_JOB = `SELECT edge.id, edge.job FROM wait JOIN edge ON edge.wait = wait.id AND edge.state = ${RUNS_YET}
    JOIN job ON job.id = edge.job
  WHERE wait.job = ? AND wait.type = 'children' AND job.standing >= ${COMPLETED} LIMIT ?`;
const WAITS = `SELECT id FROM wait WHERE job = ? AND type = 'children' AND state IN (${OPEN}, ${DORMANT})`;
const REPOINT = "UPDATE edge SET job = ? WHERE id = ?";
const SET_STATE = "UPDATE edge SET state = ? WHERE id = ?";

/**
 * Children of a revived job whose end is forgotten run again. Returns how many were looked at. Fewer than asked for
 * means that all are done.
 */
export function reviveChildren(core: Core, parent: number, limit: number): number {
  const edges = core.statement(ENDED_OF_JOB).all(parent, limit) as { id: number; job: number }[];
  for (const edge of edges) reviveChild(core, edge);
  if (edges.length > 0) core.wakePools();
  if (edges.length < limit) {
    for (const { id } of core.statement(WAITS).all(parent) as { id: number }[]) joinWait(core, id, core.clock.now());
  }
  return edges.length;
}

function reviveChild(core: Core, edge: { id: number; job: number }): void {
  const row = newest(core, findRow(core, edge.job) as JobRow);
  if (row.id !== edge.job) core.statement(REPOINT).run(row.id, edge.id);
  if (row.standing < COMPLETED) return setAwaited(core, row.id);
  const isRevived = row.standing > COMPLETED && "revived" in reviveRow(core, row);
  if (!isRevived) core.statement(SET_STATE).run(endedState(row.standing), edge.id);
}

function reviveRow(core: Core, { id }: JobRow): object {
  const answer = revive(core, core.ids.encode(id), { from: "failed-stage" });
  return answer === "not-found" ? {} : answer;
}

/** The job may have been revived by hand before. */
function newest(core: Core, row: JobRow): JobRow {
  const next = row.retried_as === null ? undefined : findRow(core, row.retried_as);
  return next ? newest(core, next) : row;
}
