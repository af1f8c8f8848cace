// The verbs of batches and flows: many jobs, and what happens when they have ended.

import type { BatchCounts } from "../../job/report/batch-view.ts";
import type { ControlAnswer } from "./jobs.ts";
import type { NewJob, Submission, SubmitAnswer } from "./submission.ts";

export interface BatchVerbs {
  /** Opens a batch and gives its id. */
  createBatch(batch: NewBatch): Promise<string>;
  /** Stores jobs as members. They are subject to all limits. */
  addToBatch(batchId: string, submission: Submission): Promise<SubmitAnswer | BatchRefusal>;
  /** Closes the batch for new members. It ends when all members have ended, at once if they have. */
  sealBatch(batchId: string): Promise<ControlAnswer>;
  /** Seals the batch and cancels the members that have not ended. */
  cancelBatch(batchId: string): Promise<ControlAnswer>;
  findBatch(batchId: string): Promise<StoredBatch | undefined>;
  /** Batches, newest first. */
  batches(filter: BatchFilter): Promise<StoredBatch[]>;
  /** The ids of members that failed and were not revived, oldest first. */
  failedMembers(batchId: string, limit: number): Promise<string[]>;
  /** Stores all jobs of a flow in one transaction, those with dependencies to wait for them. */
  submitFlow(flow: NewFlow): Promise<SubmitAnswer>;
}

export interface NewBatch {
  tenant: string;
  /** The job to submit when the batch ends. */
  onEnd?: NewJob;
}

export type BatchRefusal = { type: "not-found" } | { type: "conflict"; message: string };

export interface StoredBatch {
  id: string;
  tenant: string;
  createdAt: number;
  sealedAt?: number;
  endedAt?: number;
  cancelledAt?: number;
  /** The kind of the job that is submitted at the end. */
  onEnd?: string;
  /** The job that was submitted at the end. */
  callback?: string;
  /** The counts as they are now. A member that was retried after the end of the batch counts again. */
  counts: BatchCounts;
}

export interface BatchFilter {
  tenant?: string;
  /** Only batches that are not sealed and were opened before this time. */
  unsealedBefore?: number;
  /** The last id of the page before. */
  beforeId?: string;
  limit: number;
}

export interface NewFlow extends Submission {
  /** For each job: its name in the flow, the places of the jobs it waits for, and until when. */
  places: FlowPlace[];
}

/** Where a job stands in a flow. */
export interface FlowPlace {
  /** The name of the job in the flow. */
  name: string;
  /** The indexes of the jobs that it waits for. All of them come before it. */
  after: number[];
  /** Whether those jobs must complete, or end in any way. */
  when: "completed" | "ended";
}
