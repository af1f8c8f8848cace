// The verbs of jobs that start other jobs, or wait for them.

import type { JoinMode } from "../../job/children.ts";
import type { Failure } from "../../job/failure.ts";
import type { Standing } from "../../job/job.ts";
import type { Lease } from "../../job/lease.ts";
import type { StoredWait } from "../../job/wait.ts";
import type { NewJob } from "./submission.ts";

export interface ChildVerbs {
  /**
   * Stores jobs and the wait for them in one commit, like a step. If the wait is stored already, nothing is submitted.
   * The jobs pass all limits, but count toward them. Throws `child-limit`, `child-is-ancestor`, or the code of a
   * refused submission.
   */
  startChildren(lease: Lease, children: NewChildren): Promise<StoredWait | "lease-lost">;
  /** The jobs of an answered wait, in their order. */
  childEnds(lease: Lease, wait: ChildWaitName, options: ChildReadOptions): Promise<ChildEnds | "lease-lost">;
  /** The jobs that this one depends on in its flow, by their names there. */
  dependencies(lease: Lease, options: ChildReadOptions): Promise<ChildEnds | "lease-lost">;
  /** These jobs with the calls that started or awaited others, and the jobs that wait for them. Deleted jobs are left out. */
  links(jobIds: string[], options: LinkReadOptions): Promise<JobLinks>;
}

export interface LinkReadOptions {
  /** The smallest calls list their jobs, as long as they list no more than this together. */
  maxJobs: number;
}

export interface JobLinks {
  jobs: LinkedJob[];
  calls: LinkedCall[];
  /** The jobs that own links, at most 1,000. */
  owners: LinkOwner[];
  /** The batches of which these jobs are members. At most 1,000. */
  batches: { jobId: string; batchId: string }[];
}

export interface LinkedJob {
  jobId: string;
  kind: string;
  stage: string;
  standing: Standing;
}

/** "children": awaited. "submitted": detached. "after": the dependencies of a job in a flow. */
export type LinkType = "children" | "submitted" | "after";

/** The jobs that one job started by one call, or that it depends on. */
export interface LinkedCall {
  owner: string;
  type: LinkType;
  name: string;
  counts: Record<ChildState, number>;
  /** The jobs, in the order of the call. Missing: there are too many. */
  jobs?: { jobId: string; key?: string }[];
}

export interface LinkOwner {
  jobId: string;
  owner: string;
  type: LinkType;
  name: string;
  key?: string;
}

export interface ChildWaitName {
  type: "children" | "submitted";
  name: string;
}

export interface NewChildren extends ChildWaitName {
  /** For "children": when the wait is over. */
  mode: JoinMode;
  jobs: NewJob[];
  /** The key of each child among those of the call. */
  keys: string[];
  /** The handler that undoes what each child did, after it has completed. */
  undo?: string;
}

export interface ChildReadOptions {
  /** False: only ids and states are read. */
  results: boolean;
  /** Results beyond this size are not read. */
  maxBytes: number;
}

export interface ChildEnds {
  children: EndedChild[];
  /** The job that failed the wait. */
  failed?: EndedChild;
  /** The results have more bytes than allowed, and are left out. */
  tooLarge?: number;
}

export type ChildState = "open" | "completed" | "failed" | "cancelled" | "forgotten";

export interface EndedChild {
  jobId: string;
  key: string;
  state: ChildState;
  /** The result, as JSON. */
  result?: string;
  failure?: Failure;
}
