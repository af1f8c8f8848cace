// How both stores write the edges between jobs. A file moved to PostgreSQL keeps its numbers.

import type { JoinMode } from "../../job/children.ts";
import { CANCELLED, COMPLETED } from "../codes.ts";
import type { ChildState } from "../verbs/children.ts";

/** Flags of a job, beside those of codes.ts. HAS_WAITER: an edge leads to it, which its end must mark. */
export const HAS_WAITER = 2 ** 12;
/** Edges lead from it, to its children or dependencies. Children that it waits for end with it. */
export const HAS_EDGES = 2 ** 13;
/** Another job continued as this one. Its column `retry_of` names the other job. */
export const IS_SUCCESSOR = 2 ** 14;
/** It was submitted at the end of a batch. */
export const ENDS_BATCH = 2 ** 15;

/** What leads to a job: its parent, a parent that joined it, a parent that does not wait, a dependent in a flow, its batch. */
export const CHILD = 0;
export const JOINED_CHILD = 1;
export const DETACHED = 2;
export const DEPENDENCY = 3;
export const MEMBER = 4;

/** How the job at the end of an edge ended. */
export const RUNS_YET = 0;
export const ENDED_WELL = 1;
export const ENDED_FAILED = 2;
export const ENDED_CANCELLED = 3;
export const FORGOTTEN = 4;

const STATES: readonly ChildState[] = ["open", "completed", "failed", "cancelled", "forgotten"];

export function childStateOf(code: number): ChildState {
  const state = STATES[code];
  if (state === undefined) throw new Error(`an edge has no state ${code}`);
  return state;
}

/** The state of an edge to a job that has ended. */
export function endedState(standing: number): number {
  if (standing === COMPLETED) return ENDED_WELL;
  return standing === CANCELLED ? ENDED_CANCELLED : ENDED_FAILED;
}

/** When a wait for other jobs is over, as its `details` say. */
export function modeOf(details: string | null): JoinMode {
  return (JSON.parse(details ?? "{}") as { mode?: JoinMode }).mode ?? "collect";
}

/** What is left to do after a commit. JOIN_*: look whether a wait or a batch is over. */
export const JOIN_WAIT = 0;
export const JOIN_BATCH = 1;
/** Cancel the children of a job, of one of its waits, or the members of a batch. */
export const CANCEL_OF_JOB = 2;
export const CANCEL_OF_WAIT = 3;
export const CANCEL_OF_BATCH = 4;
/** Revive the children of a revived job. */
export const REVIVE_CHILDREN = 5;
/** Cancel a job of a flow that can never run. */
export const CANCEL_DEPENDENT = 6;

export interface LeftWork {
  id: number;
  what: number;
  /** The job, the wait or the batch that it is about. */
  ref: number;
}

/** The statement that finds the jobs which this work cancels. */
export function cancelledBy(
  what: number,
  found: Readonly<Record<"dependent" | "membersOfBatch" | "childrenOfWait" | "childrenOfJob", string>>,
): string {
  if (what === CANCEL_DEPENDENT) return found.dependent;
  if (what === CANCEL_OF_BATCH) return found.membersOfBatch;
  return what === CANCEL_OF_WAIT ? found.childrenOfWait : found.childrenOfJob;
}
