// What a commit leaves to be done: looking whether a wait or a batch is over, cancelling the children of a job that failed, reviving
// those of a job that was revived. The process that committed does it at once; each second every process looks for what is left.

import {
  CHILD,
  cancelledBy,
  JOIN_BATCH,
  JOIN_WAIT,
  type LeftWork,
  MEMBER,
  REVIVE_CHILDREN,
  RUNS_YET,
} from "../../children/codes.ts";
import { CANCEL_REASONS } from "../../decide/children.ts";
import { joinBatches } from "../batches/join.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import { cancelEdges } from "./cancel.ts";
import { joinWaits } from "./join.ts";
import { reviveChildren } from "./revive.ts";

const LEFT_BEHIND = `SELECT id, what, ref FROM millrace.left_work WHERE at <= ${NOW} - $2::bigint ORDER BY id LIMIT 1000`;
const DONE = "DELETE FROM millrace.left_work WHERE id = ANY($1::bigint[])";
const OPEN_OF_JOB = `SELECT edge.job FROM millrace.wait
  JOIN millrace.edge ON edge.wait = wait.id AND edge.state = ${RUNS_YET}
  WHERE wait.job = $1 AND wait.type = 'children' AND edge.type = ${CHILD} LIMIT $2`;
const OPEN_OF_WAIT = `SELECT job FROM millrace.edge WHERE wait = $1 AND state = ${RUNS_YET} AND type = ${CHILD} LIMIT $2`;
const OPEN_OF_BATCH = `SELECT job FROM millrace.edge WHERE batch = $1 AND state = ${RUNS_YET} AND type = ${MEMBER} LIMIT $2`;
const LIVE_JOB = "SELECT id AS job FROM millrace.job WHERE id = $1 LIMIT least($2::int, 1)";
const OPEN_JOBS = {
  dependent: LIVE_JOB,
  membersOfBatch: OPEN_OF_BATCH,
  childrenOfWait: OPEN_OF_WAIT,
  childrenOfJob: OPEN_OF_JOB,
};

/** After this time the process that left the work has either done it or died. */
const LEFT_BEHIND_MS = 1_000;
/** Jobs of one transaction, so that no row is locked for long. */
const AT_ONCE = 200;
/** Each look does at most this many parts of the work. */
const MOST_AT_ONCE = 50;

export async function doLeftWork(core: Core, left: readonly LeftWork[]): Promise<void> {
  const refs = (what: number) => [...new Set(left.filter((each) => each.what === what).map(({ ref }) => ref))];
  await joinWaits(core, refs(JOIN_WAIT));
  await joinBatches(core, refs(JOIN_BATCH));
  const done = left.filter(({ what }) => what === JOIN_WAIT || what === JOIN_BATCH);
  for (const each of left) if (!done.includes(each) && (await run(core, each))) done.push(each);
  if (done.length > 0) await core.connections.write.run(DONE, [numbers(done.map(({ id }) => id))]);
}

/** Does the work that dead processes have left. */
export async function doWorkLeftBehind(core: Core): Promise<void> {
  const left = await core.connections.write.run<LeftWork>(LEFT_BEHIND, [core.clock.given, LEFT_BEHIND_MS]);
  if (left.length > 0) await doLeftWork(core, left);
}

/** Returns true when all of the work is done. */
async function run(core: Core, { what, ref }: LeftWork): Promise<boolean> {
  for (let rounds = 0; rounds < MOST_AT_ONCE; rounds++) {
    const count =
      what === REVIVE_CHILDREN ? await reviveChildren(core, ref, AT_ONCE) : await cancelSome(core, what, ref);
    if (count < AT_ONCE) return true;
  }
  return false;
}

async function cancelSome(core: Core, what: number, ref: number): Promise<number> {
  const rows = await core.connections.write.run<{ job: number }>(cancelledBy(what, OPEN_JOBS), [ref, AT_ONCE]);
  if (rows.length > 0)
    await cancelEdges(
      core,
      rows.map(({ job }) => job),
      CANCEL_REASONS[what] as string,
    );
  return rows.length;
}
