// Cancels jobs. A running job with steps to undo is asked to end, and one that is undoing goes on; all others end at once.

import { FINISHED } from "../../../job/job.ts";
import { CANCELLED, FAILED } from "../../codes.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { CancelAnswer } from "../../verbs/jobs.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { apply } from "../settle/apply.ts";
import { askCancel } from "../waits/undo.ts";

const GIVE_UP = `UPDATE job SET standing = ${CANCELLED}, updated_at = ?, flags = flags & ~${HOLDS_KEY} WHERE id = ?`;

export function cancel(
  core: Core,
  jobIds: string[],
  reason: string,
  { unlessJoined = false }: { unlessJoined?: boolean } = {},
): CancelAnswer[] {
  const now = core.clock.now();
  return jobIds.map((jobId): CancelAnswer => {
    const row = findRow(core, core.ids.decode(jobId) ?? -1);
    const { answer, change, asks, givesUpKey } = decideCancellation(row, { jobId, reason, unlessJoined });
    if (row && givesUpKey) giveUpKey(core, row, now);
    if (row && asks) askCancel(core, row, asks, now);
    if (!row || !change) return answer;
    return FINISHED.has(apply(core, row, change, now).standing) ? answer : { undoing: true };
  });
}

/** A dead letter that kept the jobs behind it waiting. */
function giveUpKey(core: Core, { id, stage, tenant }: JobRow, now: number): void {
  core.statement(GIVE_UP).run(now, id);
  core.counts.move(stage, tenant, FAILED, CANCELLED);
  core.places.leave(id);
}
