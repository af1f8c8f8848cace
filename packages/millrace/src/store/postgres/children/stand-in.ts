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
import { ANSWERED, DORMANT, OPEN } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { moveToTwin } from "../register/twin.ts";
import { leaveWork } from "./queue.ts";

// Another transaction that answers a wait for one of these jobs has done so before, or waits until the new job stands
// in.
const LOCK_OWNERS = `SELECT id FROM millrace.job
  WHERE id = ANY(ARRAY(SELECT owner FROM millrace.edge WHERE job = $1 AND owner IS NOT NULL)) ORDER BY id FOR UPDATE`;
const OPEN_PLACES = `SELECT edge.id, edge.type FROM millrace.edge LEFT JOIN millrace.wait ON wait.id = edge.wait
  WHERE edge.job = $1 AND (edge.batch IS NOT NULL OR edge.type = ${DETACHED} OR wait.state IN (${OPEN}, ${DORMANT}))`;
const REPOINT = `UPDATE millrace.edge SET job = $2, state = ${RUNS_YET} WHERE id = ANY($1::bigint[])`;
const MARK = `UPDATE millrace.job SET flags = flags | ${HAS_WAITER} WHERE id = $1 RETURNING *`;
const MOVE_EDGES = `UPDATE millrace.edge SET owner = $2, wait = moved.id
  FROM millrace.wait AS old
  JOIN millrace.wait AS moved ON moved.job = $2 AND moved.stage = old.stage AND moved.type = old.type AND moved.name = old.name
  WHERE old.job = $1 AND edge.wait = old.id`;
const COPY_TREE =
  "INSERT INTO millrace.tree (job, children, jobs) SELECT $2, children, jobs FROM millrace.tree WHERE job = $1";
/** A wait that a child failed begins again; an answer that the parent used as a value stays. */
const REOPEN_WAITS = `UPDATE millrace.wait SET state = ${DORMANT}, value = NULL, answered_at = NULL, source = NULL
  WHERE job = $1 AND type = 'children' AND state = ${ANSWERED} AND source IS NOT NULL`;
const REOPEN_EDGES = `UPDATE millrace.edge SET state = ${RUNS_YET} WHERE state IN (${ENDED_FAILED}, ${ENDED_CANCELLED})
  AND wait IN (SELECT id FROM millrace.wait WHERE job = $1 AND type = 'children' AND state IN (${OPEN}, ${DORMANT}))`;

/** The new job takes the place that the old one has in open waits and in batches. */
export async function standIn(core: Core, tx: StatementRunner, old: number, key: number): Promise<void> {
  await tx.run(LOCK_OWNERS, [old]);
  const edges = await tx.run<{ id: number; type: number }>(OPEN_PLACES, [old]);
  if (edges.length === 0) return;
  await tx.run(REPOINT, [numbers(edges.map(({ id }) => id)), key]);
  if (edges.some(({ type }) => type !== DETACHED)) await setAwaited(core, tx, key);
}

export async function setAwaited(core: Core, tx: StatementRunner, key: number): Promise<void> {
  const [row] = await tx.run<LockedRow>(MARK, [key]);
  // A job that runs stays at the stage that its processor knows.
  const isMoved = row && row.standing !== RUNNING && core.names.twinOf(core.names.stage(row.stage)) !== undefined;
  if (isMoved) await moveToTwin(core, tx, row);
}

/** Runs after the waits of the job were copied. */
export async function takeChildren(
  core: Core,
  tx: OwnTransaction,
  old: { id: number; flags: number; now: number },
  key: number,
): Promise<void> {
  if (!(old.flags & HAS_EDGES)) return;
  await tx.run(MOVE_EDGES, [old.id, key]);
  await tx.run(COPY_TREE, [old.id, key]);
  await tx.run(REOPEN_WAITS, [key]);
  await tx.run(REOPEN_EDGES, [key]);
  await leaveWork(core, tx, { what: REVIVE_CHILDREN, refs: [key], now: old.now });
}
