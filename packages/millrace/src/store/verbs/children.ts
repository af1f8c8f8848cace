// The verbs of jobs that start other jobs, or wait for them.

import type { JoinMode } from "../../job/children.ts";
import type { Failure } from "../../job/failure.ts";
import type { Lease } from "../../job/lease.ts";
import type { StoredWait } from "../../job/wait.ts";
import type { NewJob } from "./submission.ts";

export interface ChildVerbs {
  /**
   * Stores jobs and the wait for them in one commit, like a step. If the wait is stored already, nothing is submitted. They
   * are exempt from limits, but count. Throws `child-limit`, `child-is-ancestor`, or the code of a refused submission.
   */
  startChildren(lease: Lease, children: NewChildren): Promise<StoredWait | "lease-lost">;
  /** The jobs of an answered wait, in their order. */
  childEnds(lease: Lease, wait: ChildWaitName, options: ChildReadOptions): Promise<ChildEnds | "lease-lost">;
  /** The jobs that this one depends on in its flow, by their names there. */
  dependencies(lease: Lease, options: ChildReadOptions): Promise<ChildEnds | "lease-lost">;
}

export interface ChildWaitName {
  type: "children" | "submitted";
  name: string;
}

export interface NewChildren extends ChildWaitName {
  /** "children": when the wait is over. */
  mode: JoinMode;
  jobs: NewJob[];
  /** The key of each child among those of the call. */
  keys: string[];
}

export interface ChildReadOptions {
  /** False: only ids and states. */
  results: boolean;
  /** More than this is not read. */
  maxBytes: number;
}

export interface ChildEnds {
  children: EndedChild[];
  /** The one that failed the wait. */
  failed?: EndedChild;
  /** The results have more bytes than allowed, and are left out. */
  tooLarge?: number;
}

export type ChildState = "open" | "completed" | "failed" | "cancelled" | "forgotten";

export interface EndedChild {
  jobId: string;
  key: string;
  state: ChildState;
  /** JSON. */
  output?: string;
  failure?: Failure;
}
