// A revived job replaces the old one where others wait for it, unless their wait is answered. A revived parent takes its
// children along, and those that ended badly are revived.

import {
  DETACHED,
  ENDED_CANCELLED,
  ENDED_FAILED,
  HAS_EDGES,
  HAS_WAITER,
  REVIVE_CHILDREN,
  RUNS_YET,
} from "../../children/codes.ts";
import { RUNNING } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { ANSWERED, DORMANT, OPEN } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { moveToTwin } from "../register/twin.ts";
import { leaveWork } from "./queue.ts";

const OPEN_PLACES = `SELECT edge.id, edge.type FROM edge LEFT JOIN wait ON wait.id = edge.wait
  WHERE edge.job = ? AND (edge.batch IS NOT NULL OR edge.type = ${DETACHED} OR wait.state IN (${OPEN}, ${DORMANT}))`;
const REPOINT = `UPDATE edge SET job = ?2, state = ${RUNS_YET} WHERE id = ?1`;
const MARK = `UPDATE job SET flags = flags | ${HAS_WAITER} WHERE id = ?`;
const MOVE_EDGES = `UPDATE edge SET owner = ?2, wait =
    (SELECT moved.id FROM wait AS old JOIN wait AS moved
       ON moved.job = ?2 AND moved.stage = old.stage AND moved.type = old.type AND moved.name = old.name WHERE old.id = edge.wait)
  WHERE wait IN (SELECT id FROM wait WHERE job = ?1)`;
const COPY_TREE = "INSERT INTO tree (job, children, jobs) SELECT ?2, children, jobs FROM tree WHERE job = ?1";
/** A wait that a child failed begins again; an answer that the parent used as a value stays. */
const REOPEN_WAITS = `UPDATE wait SET state = ${DORMANT}, value = NULL, answered_at = NULL, source = NULL
  WHERE job = ? AND type = 'children' AND state = ${ANSWERED} AND source IS NOT NULL`;
const REOPEN_EDGES = `UPDATE edge SET state = ${RUNS_YET} WHERE state IN (${ENDED_FAILED}, ${ENDED_CANCELLED})
  AND wait IN (SELECT id FROM wait WHERE job = ? AND type = 'children' AND state IN (${OPEN}, ${DORMANT}))`;

/** The new job takes the place that the old one has in open waits and in batches. */
export function standIn(core: Core, old: number, key: number): void {
  const edges = core.statement(OPEN_PLACES).all(old) as { id: number; type: number }[];
  for (const { id } of edges) core.statement(REPOINT).run(id, key);
  if (edges.some(({ type }) => type !== DETACHED)) setAwaited(core, key);
}

export function setAwaited(core: Core, key: number): void {
  core.statement(MARK).run(key);
  const row = findRow(core, key) as JobRow;
  // A job that runs stays at the stage that its processor knows.
  if (row.standing !== RUNNING) moveToTwin(core, row);
}

/** Runs after the waits of the job were copied. */
export function takeChildren(core: Core, old: Pick<JobRow, "id" | "flags">, key: number): void {
  if (!(old.flags & HAS_EDGES)) return;
  core.statement(MOVE_EDGES).run(old.id, key);
  core.statement(COPY_TREE).run(old.id, key);
  core.statement(REOPEN_WAITS).run(key);
  core.statement(REOPEN_EDGES).run(key);
  leaveWork(core, REVIVE_CHILDREN, key);
}
