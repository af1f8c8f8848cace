// What forgetting does to edges: nothing that a live job needs is deleted, and a wait for a deleted job is over.

import { DETACHED, FORGOTTEN, HAS_EDGES, HAS_WAITER } from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import { neededByParent } from "../../decide/release.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import { ANSWERED, DORMANT, OPEN } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { joinWait } from "./join.ts";

const NEEDED = `SELECT edge.owner FROM edge JOIN wait ON wait.id = edge.wait JOIN job ON job.id = edge.owner
  WHERE edge.job = ? AND edge.type <> ${DETACHED} AND wait.state = ${ANSWERED} AND job.standing < ${COMPLETED} LIMIT 1`;
const FORGET = `UPDATE edge SET state = ${FORGOTTEN} WHERE job = ?
  AND wait IN (SELECT id FROM wait WHERE id = edge.wait AND state IN (${OPEN}, ${DORMANT})) RETURNING wait`;
const DELETE_EDGES = "DELETE FROM edge WHERE wait IN (SELECT id FROM wait WHERE job = ?)";
const DELETE_TREE = "DELETE FROM tree WHERE job = ?";
/** A finished job whose result a live job may still read, or a dead letter that keeps the jobs behind it waiting. */
export const IS_NEEDED = `flags & ${HOLDS_KEY} OR flags & ${HAS_WAITER} AND EXISTS (SELECT 1 FROM edge JOIN job AS owner
    ON owner.id = edge.owner
  WHERE edge.job = job.id AND edge.type <> ${DETACHED} AND owner.standing < ${COMPLETED})`;

/** Why the job cannot be deleted yet. */
export function refuseNeeded(core: Core, row: Pick<JobRow, "id" | "flags">): ControlAnswer | undefined {
  if (!(row.flags & HAS_WAITER)) return undefined;
  const needed = core.statement(NEEDED).get(row.id) as { owner: number } | undefined;
  return needed && neededByParent(core.ids.encode(needed.owner));
}

/** The job is about to be deleted: waits for it are over. */
export function forgetEdges(core: Core, row: Pick<JobRow, "id" | "flags">): void {
  if (!(row.flags & HAS_WAITER)) return;
  for (const { wait } of core.statement(FORGET).all(row.id) as { wait: number }[])
    joinWait(core, wait, core.clock.now());
}

/**
 * Deletes the edges of a job that is deleted. Call this before its waits are deleted, because the edges are found by
 * them.
 */
export function deleteEdges(core: Core, { id, flags }: Pick<JobRow, "id" | "flags">): void {
  if (flags & HAS_EDGES) {
    core.statement(DELETE_EDGES).run(id);
    core.statement(DELETE_TREE).run(id);
  }
}
