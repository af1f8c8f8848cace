// When a wait for other jobs is over. Both stores look at the edges under the lock of the job that waits, ask here, and write.

import type { JoinMode } from "../../job/children.ts";
import { AppError } from "../../lib/app-error.ts";
import { unreachable } from "../../lib/unreachable.ts";
import { CANCEL_DEPENDENT, CANCEL_OF_BATCH, CANCEL_OF_JOB, CANCEL_OF_WAIT } from "../children/codes.ts";
import type { StoreLimits } from "../store.ts";
import type { SubmitAnswer } from "../verbs/submission.ts";

/** The edges of one wait: whether some job runs yet, and the first edge of each kind of bad end. */
export interface JoinFacts {
  isOpen: boolean;
  failed: number | null;
  cancelled: number | null;
  forgotten: number | null;
}

export type Join =
  | "open"
  /** All ended as the wait wants it. */
  | "done"
  /** The edge of the job whose end fails the wait. */
  | { failed: number }
  /** The job that waits can never run. */
  | "hopeless";

export function joinOf(mode: JoinMode, { isOpen, failed, cancelled, forgotten }: JoinFacts): Join {
  const bad = earliest(failed, cancelled, forgotten);
  switch (mode) {
    case "collect":
    case "ended":
      return isOpen ? "open" : "done";
    case "fail":
      if (bad !== null) return { failed: bad };
      return isOpen ? "open" : "done";
    case "wait":
      if (forgotten !== null) return { failed: forgotten };
      return isOpen || bad !== null ? "open" : "done";
    case "completed":
      if (cancelled !== null || forgotten !== null) return "hopeless";
      return isOpen || bad !== null ? "open" : "done";
    default:
      return unreachable(mode);
  }
}

function earliest(...edges: (number | null)[]): number | null {
  const known = edges.filter((edge) => edge !== null);
  return known.length === 0 ? null : Math.min(...known);
}

export interface TreeFacts {
  /** How many ancestors the children would have. */
  depth: number;
  /** Of the parent, with the new ones. */
  children: number;
  /** Of the whole tree, with the new ones. */
  jobs: number;
}

/** A tree that grows beyond its bounds is nearly always an endless recursion. */
export function refuseChildren(
  { maxChildDepth, maxChildren, maxTreeJobs }: StoreLimits,
  { depth, children, jobs }: TreeFacts,
): void {
  if (maxChildDepth > 0 && depth > maxChildDepth) {
    throw limit(`The child would have ${depth} ancestors; the limit is ${maxChildDepth}.`, "maxChildDepth");
  }
  if (maxChildren > 0 && children > maxChildren) {
    throw limit(`The job would have ${children} children; the limit is ${maxChildren}.`, "maxChildren");
  }
  if (maxTreeJobs > 0 && jobs > maxTreeJobs) {
    throw limit(`The tree of the job would have ${jobs} jobs; the limit is ${maxTreeJobs}.`, "maxTreeJobs");
  }
}

function limit(message: string, option: string): AppError {
  return new AppError("child-limit", message, { hint: `Raise ${option} of Millrace.open(), or start fewer children.` });
}

export function refuseAncestor(jobId: string): never {
  throw new AppError("child-is-ancestor", `The child would join ${jobId}, which waits for it.`, {
    hint: "The job and its child have the same unique key. Give the child another one.",
  });
}

/** A child of an ordered kind would wait for a job that waits for it. */
export function refuseHeldKey(jobId: string, key: string): never {
  throw new AppError("child-is-ancestor", `The child needs the concurrency key "${key}", which ${jobId} holds.`, {
    hint: "That job holds its key until it has ended, and waits for the child. Give the child another key, or start it with ctx.submit().",
  });
}

/** The store refused jobs that another job starts, such as a child whose unique key is taken. */
export function submissionRefused(answer: SubmitAnswer | undefined): AppError {
  if (answer?.type !== "refused") return new AppError("internal", "The store gave no jobs.");
  return new AppError(
    answer.code,
    answer.message,
    answer.jobId === undefined ? {} : { details: { jobId: answer.jobId } },
  );
}

/** Why a job is cancelled that nobody asked to cancel, by the work that was left to do. */
export const CANCEL_REASONS: Record<number, string> = {
  [CANCEL_OF_JOB]: "The job that started it has failed or was cancelled.",
  [CANCEL_OF_WAIT]: "The job that started it no longer waits for it.",
  [CANCEL_DEPENDENT]: "A job that it depends on was cancelled or deleted.",
  [CANCEL_OF_BATCH]: "Its batch was cancelled.",
};
