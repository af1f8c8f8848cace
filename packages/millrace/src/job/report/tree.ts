import type { JobState } from "../job.ts";

/** How many jobs of a call are in which state. */
export interface CallCounts {
  /** Jobs that have not ended. */
  open: number;
  /** Jobs that completed. */
  completed: number;
  /** Jobs that failed. */
  failed: number;
  /** Jobs that were cancelled. */
  cancelled: number;
  /** Jobs that were deleted. */
  forgotten: number;
}

/** The jobs that one job started by one call, or that it depends on in a flow. */
export interface TreeCall {
  /** children: it waits for them. submitted: it does not. after: it depends on them in a flow. */
  type: "children" | "submitted" | "after";
  /** The name of the call. */
  name: string;
  /** All jobs of the call. */
  counts: CallCounts;
  /** True: the tree shows the counts of this call instead of its jobs, because it would have too many nodes. */
  grouped: boolean;
}

/** One job of a tree. */
export interface TreeNode {
  /** The id of the job. */
  jobId: string;
  /** The name of its kind. */
  kind: string;
  /** The stage where it is, or where it ended. */
  stage: string;
  /** Its state. */
  state: JobState;
  /** The id of the job that started it. */
  parent?: string;
  /** The name of the call that started it. */
  call?: string;
  /** The id of the batch of which it is a member. */
  batch?: string;
  /** The jobs that it has started or depends on. */
  calls: TreeCall[];
}

/** A line of a tree, from a job to one that it started or depends on. */
export interface TreeEdge {
  /** The id of the job that started the other, or waits for it. */
  from: string;
  /** The id of the other job. */
  to: string;
  /** The type of the call. */
  type: TreeCall["type"];
  /** The name of the call. */
  name: string;
  /** The key of the job among those of the call, or its name in the flow. */
  key?: string;
}

/** All jobs that belong to the tree or flow of a job. */
export interface JobTree {
  /** The job that was asked for. */
  jobId: string;
  /** The jobs, those at the top first. At most 200, and the ancestors of the job. */
  nodes: TreeNode[];
  /** The lines between them. */
  edges: TreeEdge[];
  /** True: some calls are grouped, or jobs are left out. */
  truncated: boolean;
}
