// How both stores write waits, signals and what a job has of them. A file moved to PostgreSQL keeps its numbers.

import type { WaitState } from "../../job/wait.ts";

export const OPEN = 0;
export const ANSWERED = 1;
export const TIMED_OUT = 2;
export const CLOSED = 3;
/** Stored as open, but the attempt that was suspended last did not come to it. It opens again when one does. */
export const DORMANT = 4;

const STATES: readonly WaitState[] = ["open", "answered", "timed-out", "closed", "open"];

export function waitStateOf(code: number): WaitState {
  const state = STATES[code];
  if (state === undefined) throw new Error(`a wait has no state ${code}`);
  return state;
}

export const QUEUED = 0;
export const TAKEN = 1;
export const SET_ASIDE = 2;

/** Flags of a job, beside those of codes.ts. WAITING: it stands scheduled because its waits are unanswered. */
export const WAITING = 512;
export const HAS_WAITS = 1_024;
export const HAS_SIGNALS = 2_048;
/** It revives another job from its failed stage, so it has a row in `workflow` that names the first job of the chain. */
export const IS_CONTINUED = 2 ** 20;
/** A step of it names an undo handler, or is about to. */
export const HAS_UNDOS = 2 ** 21;
/** It has failed or was cancelled, and its undo handlers run, or one of them failed for good. */
export const UNDOING = 2 ** 22;
/** It undoes because it was cancelled. Missing: because it failed. */
export const UNDO_CANCELLED = 2 ** 23;
/** It was cancelled while it ran: steps under way are finished and stored first. */
export const CANCEL_ASKED = 2 ** 24;
/** All its undos ran. */
export const UNDONE = 2 ** 25;

/** When a job runs that waits without a limit: the year 9999. */
export const NEVER = 253_370_764_800_000;

/**
 * A woken job goes before those of its tenant and priority that have not started: its `run_at` is moved ahead by so much. Rows
 * keep their order among each other, and a negative `run_at` says that the job was woken.
 */
const WOKEN_AHEAD_MS = 2 ** 45;

export function wokenRunAt(now: number): number {
  return now - WOKEN_AHEAD_MS;
}

/** The same in a statement. */
export function wokenRunAtSql(now: string): string {
  return `${now} - ${WOKEN_AHEAD_MS}`;
}

/** The job has waited and was woken: it has started before. */
export function isWoken(runAt: number): boolean {
  return runAt < 0;
}

/** The time that people see: when the job was due. */
export function dueAt(runAt: number): number {
  return runAt < 0 ? runAt + WOKEN_AHEAD_MS : runAt;
}
