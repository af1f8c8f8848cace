// How a job undoes what it did, when it fails for good or is cancelled:
//
//   running ──fails, cancelled──▶ undoing at the stage of the last step ──its handlers ran──▶ undoing at an earlier stage
//      └──cancelled while a step is under way──▶ cancel asked ──the step is stored──▶ undoing
//                                                     undoing ──no undo is left──▶ failed | cancelled, as it would have ended
//                                                             └──an undo fails for good──▶ failed, with undos left
//
// The handlers run in reverse order of storing. What is left is known from the stored steps, so nothing is undone twice.

import type { Failure } from "../../job/failure.ts";
import { FINISHED, type Standing } from "../../job/job.ts";
import type { Transition } from "../../job/lifecycle.ts";
import type { JobRow } from "../rows/job-row.ts";
import { CANCEL_ASKED, HAS_UNDOS, UNDO_CANCELLED, UNDOING, UNDONE, WAITING, wokenRunAt } from "../waits/codes.ts";

/** A stored step whose handler has not run. */
export interface UndoLeft {
  readonly stage: number;
  /** The step, or the children, that it undoes. */
  readonly name: string;
  readonly handler: string;
  /** What the step stored, as JSON. */
  readonly value: string;
}

/** How a job ends after its undos. */
export interface JobEnding {
  readonly standing: Standing;
  readonly failure?: Failure;
  /** The stage that it failed in. */
  readonly stage: number;
}

export interface UndoFacts {
  /** The undos that are left, in the order in which they run. */
  readonly left: readonly UndoLeft[];
  readonly ending: JobEnding | undefined;
}

/** What an undo makes of a change. */
export interface UndoDecision {
  readonly change: Transition;
  /** The stage of the job from now on. */
  readonly stage: number;
  readonly flags: number;
  /** How the job ends after its undos. It is stored. */
  readonly ending?: JobEnding;
}

/** Whether a change may begin or end an undo, so that the store must load the facts. */
export function concernsUndo(row: Pick<JobRow, "flags">, change: Transition): boolean {
  if (!(row.flags & (HAS_UNDOS | UNDOING))) return false;
  return (row.flags & CANCEL_ASKED) !== 0 || change.undone === true || isBadEnd(change.standing);
}

/** Undefined: the change is written as it is. */
export function decideUndo(row: JobRow, change: Transition, facts: UndoFacts, now: number): UndoDecision | undefined {
  if (row.flags & UNDOING) return change.undone ? goOn(row, change, facts, now) : failUndo(row, change, facts);
  const asked = (row.flags & CANCEL_ASKED) !== 0;
  if (!asked && !isBadEnd(change.standing)) return undefined;
  const ending: JobEnding = (asked ? facts.ending : undefined) ?? endingOf(row, change);
  const [next] = facts.left;
  const flags = row.flags & ~(CANCEL_ASKED | WAITING);
  if (next) return { ...begin(row, change, ending, next, now), flags: begunFlags(flags, ending), ending };
  return asked ? { change: endAs(change, ending), stage: row.stage, flags } : undefined;
}

function begun(change: Transition, now: number): Pick<Transition, "failures" | "failuresTotal" | "crashes" | "runAt"> {
  return { failures: 0, failuresTotal: change.failuresTotal, crashes: 0, runAt: wokenRunAt(now) };
}

function begin(
  _row: JobRow,
  change: Transition,
  { failure }: JobEnding,
  { stage }: UndoLeft,
  now: number,
): Pick<UndoDecision, "change" | "stage"> {
  const { outcome } = change;
  return { change: { ...begun(change, now), outcome, standing: "ready", ...(failure && { failure }) }, stage };
}

function begunFlags(flags: number, { standing }: JobEnding): number {
  return flags | UNDOING | (standing === "cancelled" ? UNDO_CANCELLED : 0);
}

/** The handlers of a stage have run: those of an earlier one follow, or the job ends as it would have. */
function goOn(row: JobRow, change: Transition, { left, ending }: UndoFacts, now: number): UndoDecision {
  const [next] = left;
  const { outcome } = change;
  if (next) {
    return { change: { ...begun(change, now), outcome, standing: "ready" }, stage: next.stage, flags: row.flags };
  }
  const flags = (row.flags & ~UNDOING) | UNDONE;
  const end = ending ?? { standing: "failed", stage: row.stage };
  return { change: endAs(change, end), stage: end.stage, flags };
}

function endAs(
  { failures, failuresTotal, crashes, outcome }: Transition,
  { standing, failure }: JobEnding,
): Transition {
  return { failures, failuresTotal, crashes, outcome, standing, ...(failure && { failure }) };
}

/** An undo that fails for good makes a dead letter that names it, whatever the job would have become. */
function failUndo(row: JobRow, change: Transition, { left }: UndoFacts): UndoDecision | undefined {
  if (!isBadEnd(change.standing)) return undefined;
  const [next] = left;
  const cause = change.failure?.message ?? "";
  const message = next
    ? `The undo "${next.handler}" of "${next.name}" failed: ${cause}`
    : `The undo of the job failed: ${cause}`;
  const failure: Failure = { ...change.failure, code: "undo-failed", message, permanent: true };
  return { change: { ...change, standing: "failed", failure }, stage: row.stage, flags: row.flags };
}

function endingOf(row: JobRow, { standing, failure }: Transition): JobEnding {
  return { standing, ...(failure && { failure }), stage: row.stage };
}

function isBadEnd(standing: Standing): boolean {
  return FINISHED.has(standing) && standing !== "completed";
}
