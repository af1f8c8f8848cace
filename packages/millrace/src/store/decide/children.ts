// When a wait for other jobs is over. Both stores look at the edges under the lock of the job that waits, ask here, and write.

import type { JoinMode } from "../../job/children.ts";
import { AppError } from "../../lib/app-error.ts";
import { unreachable } from "../../lib/unreachable.ts";
import {
  CANCEL_DEPENDENT,
  CANCEL_OF_BATCH,
  CANCEL_OF_JOB,
  CANCEL_OF_WAIT,
  CHILD,
  DETACHED,
  HAS_WAITER,
  JOINED_CHILD,
} from "../children/codes.ts";
import type { StoreLimits } from "../store.ts";
import type { NewChildren } from "../verbs/children.ts";
import type { Submission, SubmitAnswer } from "../verbs/submission.ts";
import { ANSWERED, OPEN } from "../waits/codes.ts";

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

/** The jobs that a job starts, as a submission. Limits were checked when the tree began. */
export function childSubmission(tenant: string, { type, jobs }: NewChildren): Submission {
  const isAwaited = type === "children";
  return { tenant, isExempt: true, jobs: isAwaited ? jobs.map((job) => ({ ...job, flags: HAS_WAITER })) : jobs };
}

/** The children of an accepted submission: all of them, and the indexes of those that existed before. */
export function acceptedChildren(answer: SubmitAnswer | undefined): { jobIds: string[]; joined: number[] } {
  if (answer?.type !== "accepted") throw submissionRefused(answer);
  return { jobIds: answer.jobIds, joined: answer.joined ?? [] };
}

export interface StartedChildren {
  /** In the order in which they were asked for. */
  jobIds: readonly string[];
  keys: readonly number[];
  /** The indexes of jobs that existed before. */
  joined: readonly number[];
  /** Where the parent stands in its tree. */
  place: { root: number; depth: number };
}

/** The wait of a job for the children that it has just started, and the edges to them. */
export function childWait(
  { type, mode, keys: names }: NewChildren,
  { jobIds, keys, joined, place: { root, depth } }: StartedChildren,
) {
  const isAwaited = type === "children";
  const isOver = !isAwaited || keys.length === 0;
  const isJoined = new Set(joined);
  const own = isAwaited ? CHILD : DETACHED;
  return {
    isOver,
    state: isOver ? ANSWERED : OPEN,
    details: JSON.stringify({ mode }),
    value: isAwaited ? null : JSON.stringify(jobIds),
    edges: keys.map((job, i) => ({
      type: isAwaited && isJoined.has(i) ? JOINED_CHILD : own,
      job,
      key: names[i],
      // A job that existed before keeps its own place.
      ...(!isJoined.has(i) && { root, depth: depth + 1 }),
    })),
  };
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

/** Why a job is cancelled without a request, by the work that was left to do. */
export const CANCEL_REASONS: Record<number, string> = {
  [CANCEL_OF_JOB]: "The job that started it has failed or was cancelled.",
  [CANCEL_OF_WAIT]: "The job that started it no longer waits for it.",
  [CANCEL_DEPENDENT]: "A job that it depends on was cancelled or deleted.",
  [CANCEL_OF_BATCH]: "Its batch was cancelled.",
};
