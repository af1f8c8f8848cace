// Gives the jobs that this process holds back to the queue, without a failure.

import { afterAttempt } from "../../../job/lifecycle.ts";
import { type JobRow, standpoint } from "../../rows/job-row.ts";
import type { Core } from "../core.ts";
import { apply } from "../settle/apply.ts";
import { HELD_BY } from "./job-rows.ts";

/**
 * Jobs that this process still holds when it closes go back to the queue, because other processes do not look for the
 * leases of a process that has left.
 */
export function handBack(core: Core): void {
  const now = core.clock.now();
  for (const row of core.statement(HELD_BY).all(core.instances.id) as unknown as JobRow[]) {
    const plan = core.names.stageRules(core.names.stage(row.stage));
    apply(core, row, afterAttempt(standpoint(row), { type: "released" }, plan, { now, random: core.random }), now);
  }
}
