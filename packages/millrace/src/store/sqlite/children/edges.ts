// The edges between jobs. SQLite has one writer: the commit that ends a child also looks whether its parent has others, so
// joins are exact without a counter.

import {
  CANCEL_DEPENDENT,
  CANCEL_OF_JOB,
  CANCEL_OF_WAIT,
  ENDED_CANCELLED,
  ENDED_FAILED,
  ENDED_WELL,
  endedState,
  FORGOTTEN,
  HAS_EDGES,
  HAS_WAITER,
  JOIN_BATCH,
  modeOf,
  RUNS_YET,
} from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import { joinOf } from "../../decide/children.ts";
import { ANSWERED, DORMANT, OPEN } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { wake } from "../waits/waits.ts";
import { leaveWork } from "./queue.ts";

const ADD = `INSERT INTO edge (type, owner, wait, batch, job, place, key, root, depth) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const END = `UPDATE edge SET state = ? WHERE job = ? AND state = ${RUNS_YET} RETURNING wait, batch`;
const HAS_OPEN = `SELECT 1 FROM edge WHERE wait = ? AND state = ${RUNS_YET} LIMIT 1`;
const BATCH_HAS_OPEN = `SELECT 1 FROM edge WHERE batch = ? AND state = ${RUNS_YET} LIMIT 1`;
const FIRST = "SELECT min(id) AS id FROM edge WHERE wait = ? AND state = ?";
const WAIT = "SELECT id, job, state, details FROM wait WHERE id = ?";
const ANSWER = `UPDATE wait SET state = ${ANSWERED}, answered_at = ?, source = ? WHERE id = ?`;

export interface NewEdge {
  type: number;
  owner?: number;
  wait?: number;
  batch?: number;
  job: number;
  place: number;
  key?: string | undefined;
  root?: number;
  depth?: number;
}

export function addEdges(core: Core, edges: readonly NewEdge[]): void {
  const add = core.statement(ADD);
  for (const { type, owner, wait, batch, job, place, key, root, depth } of edges) {
    add.run(type, owner ?? null, wait ?? null, batch ?? null, job, place, key ?? null, root ?? null, depth ?? 0);
  }
}

/** A job that waits for the job hears of its end, and its children end with it unless it completed. */
export function endLinks(
  core: Core,
  { id, flags }: { id: number; flags: number },
  standing: number,
  now: number,
): void {
  if (flags & HAS_EDGES && standing !== COMPLETED) leaveWork(core, CANCEL_OF_JOB, id);
  if (flags & HAS_WAITER) endEdges(core, id, standing, now);
}

/** A job has ended: the jobs that wait for it go on, in the same commit. */
export function endEdges(core: Core, job: number, standing: number, now: number): void {
  settleEdges(core, job, endedState(standing), now);
}

export function settleEdges(core: Core, job: number, state: number, now: number): void {
  const ended = core.statement(END).all(state, job) as { wait: number | null; batch: number | null }[];
  for (const { wait, batch } of ended) {
    // While others run, a good end decides nothing.
    if (wait !== null && (state !== ENDED_WELL || !core.statement(HAS_OPEN).get(wait))) joinWait(core, wait, now);
    if (batch !== null && !core.statement(BATCH_HAS_OPEN).get(batch)) leaveWork(core, JOIN_BATCH, batch);
  }
}

/** Answers the wait if it is over, and wakes the job that waits. */
export function joinWait(core: Core, id: number, now: number): void {
  const wait = core.statement(WAIT).get(id) as
    | { id: number; job: number; state: number; details: string | null }
    | undefined;
  if (!wait || (wait.state !== OPEN && wait.state !== DORMANT)) return;
  const first = (state: number) => (core.statement(FIRST).get(id, state) as { id: number | null }).id;
  const join = joinOf(modeOf(wait.details), {
    isOpen: core.statement(HAS_OPEN).get(id) !== undefined,
    failed: first(ENDED_FAILED),
    cancelled: first(ENDED_CANCELLED),
    forgotten: first(FORGOTTEN),
  });
  if (join === "open") return;
  const row = findRow(core, wait.job);
  if (!row) return;
  if (join === "hopeless") return leaveWork(core, CANCEL_DEPENDENT, row.id);
  const failed = typeof join === "object" ? join.failed : null;
  core.statement(ANSWER).run(now, failed, id);
  if (failed !== null) leaveWork(core, CANCEL_OF_WAIT, id);
  if (wait.state !== OPEN) return;
  wake(core, row, now);
  core.wakePools();
}
