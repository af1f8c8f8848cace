// What a commit leaves to be done for many jobs: cancelling the children of a job that failed, reviving those of a job that was
// revived. It is done in parts, so that the write lock stays short: one before the commit, the others by the caretaker.

import {
  CHILD,
  cancelledBy,
  JOIN_BATCH,
  type LeftWork,
  MEMBER,
  REVIVE_CHILDREN,
  RUNS_YET,
} from "../../children/codes.ts";
import { COMPLETED, RUNNING } from "../../codes.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import { CANCEL_REASONS } from "../../decide/children.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { joinBatch } from "../batches/join.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { apply } from "../settle/apply.ts";
import { askCancel } from "../waits/undo.ts";
import { endEdges } from "./edges.ts";
import { reviveChildren } from "./revive.ts";

const NEXT = "SELECT id, what, ref FROM left_work ORDER BY id LIMIT 1";
const DONE = "DELETE FROM left_work WHERE id = ?";
const OPEN_OF_JOB = `SELECT edge.job FROM wait JOIN edge ON edge.wait = wait.id AND edge.state = ${RUNS_YET}
  WHERE wait.job = ? AND wait.type = 'children' AND edge.type = ${CHILD} LIMIT ?`;
const OPEN_OF_WAIT = `SELECT job FROM edge WHERE wait = ? AND state = ${RUNS_YET} AND type = ${CHILD} LIMIT ?`;
const OPEN_OF_BATCH = `SELECT job FROM edge WHERE batch = ? AND state = ${RUNS_YET} AND type = ${MEMBER} LIMIT ?`;
const LIVE_JOB = `SELECT id AS job FROM job WHERE id = ? AND standing < ${COMPLETED} LIMIT min(?, 1)`;
const OPEN_JOBS = {
  dependent: LIVE_JOB,
  membersOfBatch: OPEN_OF_BATCH,
  childrenOfWait: OPEN_OF_WAIT,
  childrenOfJob: OPEN_OF_JOB,
};

/** About 20 ms of the write lock. */
const AT_ONCE = 500;

/** Does a part of what is left. */
export function doLeftWork(core: Core): void {
  for (let room = AT_ONCE; room > 0; ) {
    const next = core.statement(NEXT).get() as unknown as LeftWork | undefined;
    if (!next) return;
    const done = run(core, next, room);
    // With less than asked for, nothing is left of it.
    if (done < room) core.statement(DONE).run(next.id);
    room -= Math.max(1, done);
  }
}

/** How many jobs it was about. */
function run(core: Core, next: LeftWork, room: number): number {
  switch (next.what) {
    case JOIN_BATCH:
      joinBatch(core, next.ref, core.clock.now());
      return 0;
    case REVIVE_CHILDREN:
      return reviveChildren(core, next.ref, room);
    default:
      return cancelSome(core, next, room);
  }
}

function cancelSome(core: Core, { what, ref }: LeftWork, room: number): number {
  const now = core.clock.now();
  const jobs = core.statement(cancelledBy(what, OPEN_JOBS)).all(ref, room) as { job: number }[];
  for (const { job } of jobs) {
    const row = findRow(core, job);
    if (row && row.standing < COMPLETED) stop(core, row, CANCEL_REASONS[what] as string, now);
    else endEdges(core, job, row?.standing ?? COMPLETED, now);
  }
  return jobs.length;
}

/** Cancels a live job. A processor of this process hears of it at once. */
function stop(core: Core, row: JobRow, reason: string, now: number): void {
  const jobId = core.ids.encode(row.id);
  const { change, asks } = decideCancellation(row, { jobId, reason, unlessJoined: false });
  if (asks) askCancel(core, row, asks, now);
  if (!change) return;
  const held = row.standing === RUNNING ? core.held.get(row.id) : undefined;
  apply(core, row, change, now);
  core.wakePools();
  if (held && held.token === row.token) {
    core.afterCommit(() => core.events.lost([{ jobId, token: held.token, reason: "cancelled" }]));
  }
}
