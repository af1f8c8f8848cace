// The deadline of a job counts everything from its submission on. A job that has not ended by then fails, whether it waits, is
// held, is scheduled, is to be retried or runs. Undos are exempt: a job that undoes its steps has failed already.

import type { LossReason } from "../../job/lease.ts";
import type { Transition } from "../../job/lifecycle.ts";
import { CANCELLED, RUNNING } from "../codes.ts";
import { type JobRow, standpoint } from "../rows/job-row.ts";

const CODE = "deadline";

export function failAtDeadline(row: JobRow): Transition {
  const { failures, failuresTotal, crashes } = standpoint(row);
  const failed = row.standing === RUNNING ? 1 : 0;
  const spanMs = (row.deadline_at ?? row.created_at) - row.created_at;
  return {
    failures: failures + failed,
    failuresTotal: failuresTotal + failed,
    crashes,
    outcome: "failed",
    standing: "failed",
    failure: { code: CODE, message: `The job did not end within ${spanMs} ms of its submission.`, permanent: true },
  };
}

/** Why a process lost the lease of a job that now stands like this. Undefined: the job is gone. */
export function lossReasonOf(row: Pick<JobRow, "standing" | "failure"> | undefined): LossReason {
  if (row?.standing === CANCELLED) return "cancelled";
  return row?.failure?.startsWith(`{"code":"${CODE}"`) ? "deadline" : "lease-lost";
}
