import { endedState, RUNS_YET } from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import { DORMANT, OPEN } from "../../waits/codes.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import { readyRevivals, reviveIn } from "../control/control.ts";
import type { Core } from "../core.ts";
import { joinWaits } from "./join.ts";
import { tellOfWork } from "./queue.ts";
import { setAwaited } from "./stand-in.ts";

const ENDED_OF_JOB = `SELECT edge.id, edge.job FROM millrace.wait
  JOIN millrace.edge ON edge.wait = wait.id AND edge.state = ${RUNS_YET}
  JOIN millrace.finished ON finished.id = edge.job
  WHERE wait.job = $1 AND wait.type = 'children' LIMIT $2`;
const WAITS = `SELECT id FROM millrace.wait WHERE job = $1 AND type = 'children' AND state IN (${OPEN}, ${DORMANT})`;
// The job may have been revived by hand before. Its newest revival counts.
const NEWEST = `WITH RECURSIVE chain AS (
    SELECT id, retried_as, standing, 0 AS place FROM millrace.every_job WHERE id = $1
    UNION ALL
    SELECT next.id, next.retried_as, next.standing, place + 1 FROM chain
      JOIN LATERAL (SELECT id, retried_as, standing FROM millrace.every_job WHERE id = chain.retried_as) AS next ON true)
  SELECT id, standing FROM chain ORDER BY place DESC LIMIT 1`;
const REPOINT = "UPDATE millrace.edge SET job = $2 WHERE id = $1";
const SET_STATE = "UPDATE millrace.edge SET state = $2 WHERE id = $1";

/**
 * Children of a revived job whose end is forgotten run again. Returns how many were looked at. Fewer than asked for
 * means that all are done.
 */
export async function reviveChildren(core: Core, parent: number, limit: number): Promise<number> {
  const { write } = core.connections;
  const edges = await write.run<{ id: number; job: number }>(ENDED_OF_JOB, [parent, limit]);
  for (const edge of edges) {
    await readyRevivals(core, [edge.job]);
    await write.transact((tx) => reviveChild(core, tx, edge));
  }
  if (edges.length > 0) tellOfWork(core);
  if (edges.length < limit) {
    const waits = await write.run<{ id: number }>(WAITS, [parent]);
    await joinWaits(
      core,
      waits.map(({ id }) => id),
    );
  }
  return edges.length;
}

async function reviveChild(core: Core, tx: OwnTransaction, edge: { id: number; job: number }): Promise<void> {
  const [row] = await tx.run<{ id: number; standing: number }>(NEWEST, [edge.job]);
  if (!row) return;
  if (row.id !== edge.job) await tx.run(REPOINT, [edge.id, row.id]);
  if (row.standing < COMPLETED) return setAwaited(core, tx, row.id);
  const revived = row.standing > COMPLETED ? await reviveIn(core, tx, row.id, { from: "failed-stage" }) : undefined;
  if (typeof revived === "object" && "revived" in revived) return;
  await tx.run(SET_STATE, [edge.id, endedState(row.standing)]);
}
