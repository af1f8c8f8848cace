// What a claim reads of a row, and the job that it hands to a processor. The same for both stores.

import type { ClaimedJob } from "../../job/lease.ts";
import { unpackTrace } from "../../lib/trace-parent.ts";
import { HAS_STEPS } from "../codes.ts";
import { type JOB_COLUMNS, jobColumns } from "../columns/job-columns.ts";
import { dueAt } from "../waits/codes.ts";
import { OF_WORKFLOW, workflowOf } from "../waits/workflow-facts.ts";
import type { JobRow } from "./job-row.ts";

type Columns = typeof JOB_COLUMNS;
type ColumnsRead<How> = {
  [Name in keyof Columns]: Columns[Name] extends { claimed: How } ? Name : never;
}[keyof Columns];
export type ClaimedColumn = ColumnsRead<"each" | "rare">;
export type RareColumn = ColumnsRead<"rare">;

/** A claim reads these for every job, so there are no more of them than a processor needs. */
export const CLAIMED_COLUMNS = jobColumns(({ claimed }) => claimed !== undefined) as ClaimedColumn[];
/** Most jobs have NULL or 0 in all of these. */
export const RARE_COLUMNS = jobColumns(({ claimed }) => claimed === "rare") as RareColumn[];

export type ClaimedColumns = Pick<JobRow, ClaimedColumn>;

export interface ClaimFacts {
  lease: ClaimedJob["lease"];
  tenant: string;
  payload: string;
  /** The result of the stage before. */
  input: string | undefined;
  claimedAt: number;
  isLast: boolean;
}

export function claimedJob(row: ClaimedColumns, { lease, tenant, payload, input, claimedAt, isLast }: ClaimFacts) {
  const job: ClaimedJob = {
    lease,
    tenant,
    payload,
    attempt: row.failures + row.crashes + 1,
    priority: row.priority,
    tags: row.tags === null ? NO_TAGS : JSON.parse(row.tags),
    createdAt: row.created_at,
    runAt: dueAt(row.run_at),
    claimedAt,
    crashes: row.crashes,
    hasSteps: (row.flags & HAS_STEPS) !== 0,
    isLast,
  };
  if (row.flags & OF_WORKFLOW) job.workflow = workflowOf(row.flags);
  if (input !== undefined) job.input = input;
  if (row.trace !== null) Object.assign(job, unpackTrace(row.trace));
  if (row.timeout_ms !== null) job.timeoutMs = row.timeout_ms;
  if (row.failure !== null) job.failure = JSON.parse(row.failure);
  return job;
}

const NO_TAGS: string[] = [];
