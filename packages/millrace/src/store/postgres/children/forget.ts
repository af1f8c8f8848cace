// What forgetting does to edges: nothing that a live job needs is deleted, and a wait for a deleted job is over.

import { DETACHED, FORGOTTEN, HAS_WAITER, JOIN_WAIT } from "../../children/codes.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import { ANSWERED, DORMANT, OPEN } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { leaveWork } from "./queue.ts";

const NEEDED = `SELECT edge.job, min(edge.owner) AS owner FROM millrace.edge
  JOIN millrace.wait ON wait.id = edge.wait
  JOIN millrace.job ON job.id = edge.owner
  WHERE edge.job = ANY($1::bigint[]) AND edge.type <> ${DETACHED} AND wait.state = ${ANSWERED}
  GROUP BY edge.job`;
const FORGET = `UPDATE millrace.edge SET state = ${FORGOTTEN} FROM millrace.wait
  WHERE edge.job = ANY($1::bigint[]) AND wait.id = edge.wait AND wait.state IN (${OPEN}, ${DORMANT})
  RETURNING edge.wait`;
/** A finished job whose result a live job may still read, or a dead letter that keeps the jobs behind it waiting. */
export const IS_NEEDED = `finished.flags & ${HOLDS_KEY} <> 0 OR finished.flags & ${HAS_WAITER} <> 0 AND EXISTS (SELECT 1 FROM millrace.edge
  JOIN millrace.job AS owner ON owner.id = edge.owner WHERE edge.job = finished.id AND edge.type <> ${DETACHED})`;

/** The live jobs that need the results of these, by job. */
export async function neededJobs(tx: StatementRunner, keys: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.run<{ job: number; owner: number }>(NEEDED, [numbers(keys)]);
  return new Map(rows.map(({ job, owner }) => [job, owner]));
}

/** Ends the waits for jobs that were deleted. */
export async function forgetEdges(
  core: Core,
  tx: OwnTransaction,
  jobs: readonly { id: number; flags: number }[],
): Promise<void> {
  const awaited = jobs.filter(({ flags }) => flags & HAS_WAITER).map(({ id }) => id);
  if (awaited.length === 0) return;
  const rows = await tx.run<{ wait: number }>(FORGET, [numbers(awaited)]);
  const refs = [...new Set(rows.map(({ wait }) => wait))];
  if (refs.length > 0) await leaveWork(core, tx, { what: JOIN_WAIT, refs, now: core.clock.now() });
}
