// Whether a job can be cancelled, and what is then written.

import { FINISHED, STANDINGS, type Standing } from "../../job/job.ts";
import type { Change } from "../../job/lifecycle.ts";
import { JOINED, RUNNING } from "../codes.ts";
import { type JobRow, standpoint } from "../rows/job-row.ts";
import type { CancelAnswer } from "../verbs/jobs.ts";

export interface CancelRequest {
  readonly jobId: string;
  readonly reason: string;
  /** Leave a job alone that a second submission has joined. */
  readonly unlessJoined: boolean;
}

/** A live job is looked at whole; of a finished one its standing is enough. */
export type CancelledRow = JobRow | Pick<JobRow, "standing">;

/** With a change, it is to be written in the same transaction. */
export function decideCancellation(
  row: CancelledRow | undefined,
  { jobId, reason, unlessJoined }: CancelRequest,
): { readonly answer: CancelAnswer; readonly change?: Change } {
  if (!row) return { answer: "not-found" };
  const standing = STANDINGS[row.standing] as Standing;
  if (FINISHED.has(standing) || !("token" in row))
    return { answer: { conflict: `The job is already ${standing === "rejected" ? "failed" : standing}.` } };
  if (unlessJoined && row.flags & JOINED) return { answer: { conflict: "Somebody else waits for the job as well." } };
  const failure = { code: "cancelled", message: reason, permanent: true };
  return {
    answer: row.standing === RUNNING ? { running: { jobId, token: row.token } } : "done",
    change: { ...standpoint(row), outcome: "cancelled", standing: "cancelled", failure },
  };
}
