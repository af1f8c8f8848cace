// How an operation goes on: which jobs still fit, how many may be acted on now, and what is counted.

import { HAS_EDGES, HAS_WAITER } from "../../children/codes.ts";
import { CANCELLED, FAILED, READY, REJECTED } from "../../codes.ts";
import { KEYED } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { COLLECTING, COMPLETE, type OperationRow, PAUSED, RUNS, STOPPED } from "../../rows/operation-row.ts";
import type { OperationChange, OperationError } from "../../verbs/operations/operations.ts";
import { HAS_UNDOS, UNDOING, UNDONE } from "../../waits/codes.ts";
import type { Conflict } from "../release.ts";

/** How long an operation waits for room in a queue before it looks again. */
export const QUEUE_WAIT_MS = 500;
/** How long an operation is shown after its end. */
export const OPERATION_KEPT_MS = 30 * 24 * 3_600_000;
/** After this time an operation that was not started is deleted: the process that collected its jobs has ended. */
export const COLLECTED_MS = 10 * 60_000;

/** What became of one job. "full": the queue of its stage has no room now, and the operation waits. */
export type ActResult =
  | { readonly changed: Omit<OperationChange, "jobId">; readonly was?: number }
  | "skipped"
  | "full"
  | { readonly code: string; readonly message: string };

/** Whether the job still belongs to the operation, or has left its set since. */
export function stillFits(row: JobRow | undefined, operation: Pick<OperationRow, "action" | "among">): row is JobRow {
  if (!row || !(JSON.parse(operation.among) as number[]).includes(row.standing)) return false;
  const isRevived = operation.action === "revive" || operation.action === "retry";
  return !isRevived || row.retried_as === null;
}

const RATE_MS = 2_000;
/** At a given rate, one transaction takes the jobs of a quarter of a second. */
const PACE_MS = 250;
const MOST_ERRORS = 20;

/** How many jobs may be acted on now; 0: wait. */
export function allowance({ per_second, paced_at }: OperationRow, now: number): { count: number; waitMs?: number } {
  if (per_second === null) return { count: Number.POSITIVE_INFINITY };
  if (paced_at > now) return { count: 0, waitMs: paced_at - now };
  return { count: Math.max(1, Math.floor((per_second * PACE_MS) / 1_000)) };
}

/** The columns that change with each act. */
export type ProgressColumns = Pick<
  OperationRow,
  "done" | "skipped" | "failed" | "errors" | "place" | "paced_at" | "rate" | "rate_since" | "rate_count" | "waits_for"
>;

/** Counts the results of one transaction. */
export class ActTally {
  readonly changed: OperationChange[] = [];
  /** What can be undone: the key of each job with its standing before. */
  readonly undoable: [number, number][] = [];
  #done = 0;
  #skipped = 0;
  #failed = 0;
  readonly #errors: OperationError[];
  readonly #row: OperationRow;

  constructor(row: OperationRow) {
    this.#row = row;
    this.#errors = JSON.parse(row.errors) as OperationError[];
  }

  get count(): number {
    return this.#done + this.#skipped + this.#failed;
  }

  add(jobId: string, key: number, result: Exclude<ActResult, "full">): void {
    if (result === "skipped") this.#skipped++;
    else if ("changed" in result) {
      this.#done++;
      this.changed.push({ jobId, ...result.changed });
      if (result.was !== undefined) this.undoable.push([key, result.was]);
    } else {
      this.#failed++;
      this.#addError(jobId, result);
    }
  }

  progress(now: number, waitsFor: string | null): ProgressColumns {
    const { done, skipped, failed, place, per_second, rate, rate_since, rate_count } = this.#row;
    const count = rate_count + this.count;
    const elapsed = now - rate_since;
    const isOver = elapsed >= RATE_MS;
    return {
      done: done + this.#done,
      skipped: skipped + this.#skipped,
      failed: failed + this.#failed,
      errors: JSON.stringify(this.#errors),
      place: place + this.count,
      paced_at: per_second === null ? 0 : now + Math.round((this.count * 1_000) / per_second),
      rate: isOver ? (count * 1_000) / elapsed : rate,
      rate_since: isOver ? now : rate_since,
      rate_count: isOver ? 0 : count,
      waits_for: waitsFor,
    };
  }

  #addError(jobId: string, { code, message }: { code: string; message: string }): void {
    const known = this.#errors.find((each) => each.code === code);
    if (known) known.count++;
    else if (this.#errors.length < MOST_ERRORS) this.#errors.push({ code, message, count: 1, sample: jobId });
  }
}

/** The state after a person pauses, resumes or stops the operation. */
export function controlledState(state: number, what: "pause" | "resume" | "stop"): number | Conflict {
  if (state === COLLECTING) return { conflict: "The operation is still collecting its jobs." };
  if (state !== RUNS && state !== PAUSED) return { conflict: "The operation has ended." };
  if (what === "stop") return STOPPED;
  return what === "pause" ? PAUSED : RUNS;
}

/** What an operation did is kept this long after its end. */
export const UNDO_MS = 24 * 3_600_000;

/** Why an operation cannot be undone. */
export function refuseUndo(
  { action, state, ended_at }: OperationRow,
  undone: boolean,
  now: number,
): Conflict | undefined {
  if (action === "delete") return { conflict: "Deleted jobs cannot be restored." };
  if (action !== "revive" && action !== "retry")
    return { conflict: `An operation that did "${action}" cannot be undone.` };
  if (state !== COMPLETE && state !== STOPPED) return { conflict: "The operation has not ended. Stop it first." };
  if (undone) return { conflict: "The operation was already undone." };
  const isLate = ended_at !== null && ended_at <= now - UNDO_MS;
  return isLate ? { conflict: "An operation can be undone for a day after its end." } : undefined;
}

const ENTANGLED = HAS_EDGES | HAS_WAITER | KEYED | HAS_UNDOS | UNDOING | UNDONE;

/** Whether the old job can stand as before, and the new one be cancelled. Undefined: it can. */
export function refuseUndoOf(old: JobRow, revived: JobRow | undefined): ActResult | undefined {
  if (old.standing !== REJECTED && old.standing !== CANCELLED) return "skipped";
  if (revived?.token !== 0 || revived.standing > READY) return "skipped";
  if (!((old.flags | revived.flags) & ENTANGLED)) return undefined;
  const message = "Other jobs, a concurrency key or undo handlers depend on the revived job.";
  return { code: "conflict", message };
}

/** The standing to which a revived job returns. */
export function standingBefore(was: number | undefined): number {
  return was ?? FAILED;
}

/** The reason of jobs that an undo cancels. */
export const REVIVAL_UNDONE = "The revival was undone.";

export const QUEUE_FULL = "The queue of a stage is full.";
