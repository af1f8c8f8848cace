// Whether a job can be cancelled, and what is then written.

import { FINISHED, STANDINGS, type Standing } from "../../job/job.ts";
import type { Transition } from "../../job/lifecycle.ts";
import { JOINED, RUNNING } from "../codes.ts";
import { HOLDS_KEY } from "../keys/codes.ts";
import { type JobRow, standpoint } from "../rows/job-row.ts";
import type { CancelAnswer } from "../verbs/jobs.ts";
import { CANCEL_ASKED, HAS_UNDOS, UNDOING } from "../waits/codes.ts";
import type { JobEnding } from "./undo.ts";

export interface CancelRequest {
  readonly jobId: string;
  readonly reason: string;
  /** Leave a job alone that a second submission has joined. */
  readonly unlessJoined: boolean;
}

/** A live job is looked at whole; of a finished one its standing and flags are enough. */
export type CancelledRow = JobRow | Pick<JobRow, "standing" | "flags">;

export interface CancelDecision {
  readonly answer: CancelAnswer;
  readonly change?: Transition;
  readonly asks?: JobEnding;
  /** A dead letter becomes a cancelled job, and gives its concurrency key to the next one. */
  readonly givesUpKey?: true;
}

/** With a change, it is to be written in the same transaction. */
export function decideCancellation(
  row: CancelledRow | undefined,
  { jobId, reason, unlessJoined }: CancelRequest,
): CancelDecision {
  if (!row) return { answer: "not-found" };
  const standing = STANDINGS[row.standing] as Standing;
  if (standing === "failed" && row.flags & HOLDS_KEY) return { answer: "done", givesUpKey: true };
  if (FINISHED.has(standing) || !("token" in row))
    return { answer: { conflict: `The job is already ${standing === "rejected" ? "failed" : standing}.` } };
  if (unlessJoined && row.flags & JOINED) return { answer: { conflict: "Another caller waits for this job." } };
  const failure = { code: "cancelled", message: reason, permanent: true };
  if (row.flags & UNDOING) return { answer: { undoing: true } };
  if (row.flags & HAS_UNDOS && row.standing === RUNNING) {
    const running = { jobId, token: row.token };
    const answer: CancelAnswer = { undoing: true, running };
    return row.flags & CANCEL_ASKED
      ? { answer }
      : { answer, asks: { standing: "cancelled", failure, stage: row.stage } };
  }
  return {
    answer: row.standing === RUNNING ? { running: { jobId, token: row.token } } : "done",
    change: { ...standpoint(row), outcome: "cancelled", standing: "cancelled", failure },
  };
}
