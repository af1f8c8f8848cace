// The edges between jobs. SQLite has one writer: the commit that ends a child also looks whether its parent has others, so
// joins are exact without a counter.

import {
  CANCEL_OF_JOB,
  ENDED_WELL,
  endedState,
  HAS_EDGES,
  HAS_WAITER,
  JOIN_BATCH,
  RUNS_YET,
} from "../../children/codes.ts";
import { COMPLETED } from "../../codes.ts";
import type { Core } from "../core.ts";
import { joinWait } from "./join.ts";
import { leaveWork } from "./queue.ts";

const ADD = `INSERT INTO edge (type, owner, wait, batch, job, place, key, root, depth) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const END = `UPDATE edge SET state = ? WHERE job = ? AND state = ${RUNS_YET} RETURNING wait, batch`;
const HAS_OPEN = `SELECT 1 FROM edge WHERE wait = ? AND state = ${RUNS_YET} LIMIT 1`;
const BATCH_HAS_OPEN = `SELECT 1 FROM edge WHERE batch = ? AND state = ${RUNS_YET} LIMIT 1`;

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

/** Tells the jobs that wait for a job that it has ended. Unless it completed, its children are cancelled. */
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
    // While other jobs of the wait run, a completed one decides nothing.
    if (wait !== null && (state !== ENDED_WELL || !core.statement(HAS_OPEN).get(wait))) joinWait(core, wait, now);
    if (batch !== null && !core.statement(BATCH_HAS_OPEN).get(batch)) leaveWork(core, JOIN_BATCH, batch);
  }
}
