// Gives the jobs that this process holds back to the queue, without a failure.

import { afterAttempt } from "../../../job/lifecycle.ts";
import { RUNNING } from "../../codes.ts";
import { standpoint } from "../../rows/job-row.ts";
import { openAllOf } from "../claim/bundles.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { applyAll } from "../settle/apply.ts";

// The sum keeps the planner from looking through all jobs in the order of their keys.
const HELD_BY = `SELECT *, ${NOW} AS now FROM millrace.job WHERE standing = ${RUNNING} AND holder = $2 ORDER BY id + 0 LIMIT 500 FOR UPDATE`;
export const HAND_BACK_BATCH = 500;

/**
 * Jobs that this process still holds when it closes go back to the queue, because other processes do not look for the
 * leases of a process that has left.
 */
export async function handBack(core: Core): Promise<number> {
  const count = await core.connections.write.transact(async (tx) => {
    await openAllOf(tx, core.instances.id);
    return release(core, tx, await tx.run<LockedRow>(HELD_BY, [core.clock.given, core.instances.id]));
  });
  if (count > 0) core.voice.say("work");
  return count;
}

export async function release(core: Core, tx: OwnTransaction, rows: LockedRow[]): Promise<number> {
  await core.names.knowStages(rows.map(({ stage }) => stage));
  const changes = rows.map((row) => {
    const plan = core.names.stageRules(core.names.stage(row.stage));
    const moment = { now: row.now, random: core.random };
    return { row, change: afterAttempt(standpoint(row), { type: "released" }, plan, moment) };
  });
  await applyAll(core, tx, changes);
  return rows.length;
}
