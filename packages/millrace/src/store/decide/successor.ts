// A job that continues as new ends as completed, and its successor is stored in the same commit. The successor has its options,
// its tenant, its unique keys and its unread signals, and stands in its place for parents, flows and batches.
//
// Steps, waits and children stay behind: the successor starts at the first stage with nothing stored.

import type { Outcome } from "../../job/lifecycle.ts";
import { unpackTrace } from "../../lib/trace-parent.ts";
import { ENDS_BATCH, HAS_WAITER, IS_SUCCESSOR } from "../children/codes.ts";
import { HAS_UNIQUE_KEY, JOINED } from "../codes.ts";
import { HOLDS_KEY, KEYED } from "../keys/codes.ts";
import type { JobRow } from "../rows/job-row.ts";
import type { FollowUps } from "../verbs/follow-ups.ts";
import type { NewJob } from "../verbs/submission.ts";
import { CANCEL_ASKED, HAS_SIGNALS } from "../waits/codes.ts";
import type { WrittenAnswer } from "./settlement.ts";

/** What the successor has beside its row from the start, as the job has it. */
const TAKEN_ALONG = HAS_UNIQUE_KEY | HAS_SIGNALS | HAS_WAITER | ENDS_BATCH | JOINED | KEYED | HOLDS_KEY;

/** The submission of the successor. A job that was cancelled, and finishes its steps to undo them, has none. */
export function continuesAs(row: JobRow, kind: string, outcome: Outcome): NewJob | undefined {
  return outcome.type === "continued" && !(row.flags & CANCEL_ASKED)
    ? successorOf(row, kind, outcome.payload)
    : undefined;
}

function successorOf(row: JobRow, kind: string, payload: string): NewJob {
  return {
    kind,
    payload,
    priority: row.priority,
    flags: (row.flags & TAKEN_ALONG) | IS_SUCCESSOR,
    ...(row.concurrency_key !== null && { concurrencyKey: row.concurrency_key }),
    ...(row.tags !== null && { tags: JSON.parse(row.tags) as string[] }),
    ...(row.trace !== null && unpackTrace(row.trace)),
    ...(row.max_attempts !== null && { maxAttempts: row.max_attempts }),
    ...(row.timeout_ms !== null && { timeoutMs: row.timeout_ms }),
    // The deadline counts from the submission of the successor.
    ...(row.deadline_at !== null && { deadlineMs: row.deadline_at - row.created_at }),
  };
}

/** What a store must know of a successor before it has the row of the job. */
export function expectedSuccessor(kind: string): NewJob {
  return { kind, payload: "null", flags: IS_SUCCESSOR };
}

/** The successor is the last of the jobs. */
export function withSuccessor(given: FollowUps | undefined, successor: NewJob | undefined): FollowUps | undefined {
  return successor ? { ...given, jobs: [...(given?.jobs ?? []), successor] } : given;
}

/** The row as it ends. Jobs that wait for this job wait for its successor from now on. */
export function withoutWaiters<Row extends JobRow>(row: Row): Row {
  return { ...row, flags: row.flags & ~HAS_WAITER };
}

/** The answer to the settlement, once the successor has its id. */
export function continuedAnswer({ jobIds = [], ...answer }: WrittenAnswer): WrittenAnswer & { successor: string } {
  const others = jobIds.slice(0, -1);
  return { ...answer, ...(others.length > 0 && { jobIds: others }), successor: jobIds.at(-1) as string };
}

/** Taken signals with an idempotency key stay known to the successor for this long, so that a repeated one is recognised. */
export function knownSignalsSince(now: number, idempotencyMs: number): number {
  return now - idempotencyMs;
}
