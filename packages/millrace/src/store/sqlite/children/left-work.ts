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
import { COMPLETED } from "../../codes.ts";
import { CANCEL_REASONS } from "../../decide/children.ts";
import { joinBatch } from "../batches/join.ts";
import type { Core } from "../core.ts";
import { cancelEdges } from "./cancel.ts";
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

/** Jobs in one transaction. They hold the write lock for about 20 ms. */
const AT_ONCE = 500;

/** Does a part of what is left. */
export function doLeftWork(core: Core): void {
  for (let room = AT_ONCE; room > 0; ) {
    const next = core.statement(NEXT).get() as unknown as LeftWork | undefined;
    if (!next) return;
    const done = run(core, next, room);
    // There were fewer jobs than there was room for, so this piece of work is done.
    if (done < room) core.statement(DONE).run(next.id);
    room -= Math.max(1, done);
  }
}

/** Returns how many jobs it worked on. */
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
  const jobs = core.statement(cancelledBy(what, OPEN_JOBS)).all(ref, room) as { job: number }[];
  cancelEdges(
    core,
    jobs.map(({ job }) => job),
    CANCEL_REASONS[what] as string,
  );
  return jobs.length;
}
