// Makes due jobs ready.

import { isSuspect } from "../../../job/crash.ts";
import { READY, SCHEDULED, SUSPECT } from "../../codes.ts";
import { needsKey } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { WAITING } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { wake } from "../waits/waits.ts";

const DUE = `SELECT id, stage, tenant, standing, crashes, flags FROM job
  WHERE standing = ${SCHEDULED} AND run_at <= ? ORDER BY run_at LIMIT 1000`;
const NEXT_DUE = `SELECT min(run_at) AS at FROM job WHERE standing = ${SCHEDULED}`;
const LIFT = "UPDATE job SET standing = ? WHERE id = ?";

export function nextDueAt(core: Core): number | undefined {
  return (core.statement(NEXT_DUE).get() as { at: number | null }).at ?? undefined;
}

/**
 * Scheduled jobs stay out of the ready index until they are due. Each pass lifts 1,000, so that a million due at once do not
 * block other calls.
 */
export function liftDue(core: Core, now: number): boolean {
  const due = core.statement(DUE).all(now) as unknown as Pick<
    JobRow,
    "id" | "stage" | "tenant" | "standing" | "crashes" | "flags"
  >[];
  for (const job of due) {
    if (job.flags & WAITING) {
      wake(core, job, now);
      continue;
    }
    if (needsKey(job.flags)) {
      core.places.arrive(job.id);
      continue;
    }
    const standing = isSuspect(job) ? SUSPECT : READY;
    core.statement(LIFT).run(standing, job.id);
    core.counts.move(job.stage, job.tenant, SCHEDULED, standing);
  }
  return due.length > 0;
}
