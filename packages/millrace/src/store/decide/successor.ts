// A job that continues as new: its successor has its options, and takes its place, its unique key and its unread signals.

import { unpackTrace } from "../../lib/trace-parent.ts";
import { HAS_WAITER, IS_SUCCESSOR } from "../children/codes.ts";
import { HAS_UNIQUE_KEY } from "../codes.ts";
import type { JobRow } from "../rows/job-row.ts";
import type { NewJob } from "../verbs/submission.ts";
import { HAS_SIGNALS } from "../waits/codes.ts";

/** What the successor has beside its row from the start, as the job has it. */
const TAKEN_ALONG = HAS_UNIQUE_KEY | HAS_SIGNALS | HAS_WAITER;

export function successorOf(row: JobRow, kind: string, payload: string): NewJob {
  return {
    kind,
    payload,
    priority: row.priority,
    flags: (row.flags & TAKEN_ALONG) | IS_SUCCESSOR,
    ...(row.tags !== null && { tags: JSON.parse(row.tags) as string[] }),
    ...(row.trace !== null && unpackTrace(row.trace)),
    ...(row.max_attempts !== null && { maxAttempts: row.max_attempts }),
    ...(row.timeout_ms !== null && { timeoutMs: row.timeout_ms }),
    // It counts from the submission of the successor.
    ...(row.deadline_at !== null && { deadlineMs: row.deadline_at - row.created_at }),
  };
}

/** The row as it ends: whoever waits for the job waits for its successor from now on. */
export function withoutWaiters<Row extends JobRow>(row: Row): Row {
  return { ...row, flags: row.flags & ~HAS_WAITER };
}
