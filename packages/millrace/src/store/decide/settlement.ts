// What a change of the lifecycle writes: the row of the job, the record of its attempt, and all that ends with its stage or with
// the job. Pure: a store loads the row under its transaction or its lock, asks here, and writes the settlement in one commit.

import type { AttemptOutcome } from "../../job/job.ts";
import type { KindPlan } from "../../job/kind/plan.ts";
import { type Outcome, type Transition, withoutDeadLetter } from "../../job/lifecycle.ts";
import { causeOf } from "../../job/report/cause.ts";
import { HAS_EDGES, HAS_WAITER } from "../children/codes.ts";
import {
  CANCELLED,
  COMPLETED,
  codeOf,
  FAILED,
  FOLLOWS,
  HAS_ATTEMPTS,
  HAS_UNIQUE_KEY,
  REJECTED,
  RUNNING,
  SCHEDULED,
} from "../codes.ts";
import { HOLDS_KEY, KEYED } from "../keys/codes.ts";
import type { StageRow } from "../plans/catalog.ts";
import type { JobRow } from "../rows/job-row.ts";
import type { SettledColumns } from "../rows/settled-columns.ts";
import { HAS_STREAMS } from "../streams/codes.ts";
import type { SettleAnswer } from "../verbs/attempts.ts";
import { CLOSED, DORMANT, HAS_UNDOS, HAS_WAITS, WAITING } from "../waits/codes.ts";
import { type KeyChange, keyChange } from "./attempt/keys.ts";
import type { UndoDecision } from "./undo.ts";

/** What a settlement asks of the kinds and stages that a store knows. */
export interface StageLookup {
  stage(id: number): StageRow;
  rules(kind: number): KindPlan;
}

export interface SettlementFacts {
  readonly row: JobRow;
  readonly change: Transition;
  readonly now: number;
  /** What an undo makes of the change, if it concerns one. */
  readonly undo?: UndoDecision | undefined;
  /** How many attempts of the job are recorded. Counted only if `countsAttempts` says so. */
  readonly recordedAttempts?: number;
}

export interface Settlement {
  /** The stage of the job from now on. */
  readonly stage: StageRow;
  readonly columns: SettledColumns;
  /** The token grows, so that the holder of the lease can write nothing more. */
  readonly outdatesLease: boolean;
  readonly endsLease: boolean;
  readonly isFinished: boolean;
  /** The kind keeps nothing of such a job: its row and all that belongs to it are deleted instead of written. */
  readonly isForgotten: boolean;
  readonly attempt: AttemptRecord | undefined;
  /** The state that the unanswered waits of the job get. Undefined: they stay as they are, or the job has none. */
  readonly waitState: number | undefined;
  /** The unique key goes to the follower of the job, or is free. */
  readonly dropsUniqueKey: boolean;
  /** What happens to the concurrency key of the job. */
  readonly key: KeyChange;
  /** The job has ended while it waited for the live job of its key. */
  readonly dropsFollower: boolean;
  /** What the attempt wrote to streams is taken back, because its stage runs again from the top. */
  readonly restartsStreams: boolean;
  readonly answer: WrittenAnswer;
}

export type WrittenAnswer = Extract<SettleAnswer, { written: "written" }>;

/** An ended attempt as it is stored, by the names of its columns. */
export interface AttemptRecord {
  readonly job: number;
  readonly stage: number;
  readonly attempt: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly holder: number | null;
  readonly slot: number | null;
  readonly outcome: AttemptOutcome;
  readonly failure: string | null;
  readonly beside: string | null;
}

export const LEASE_LOST: SettleAnswer = { written: "lease-lost" };
export const COMPLETED_ANSWER: WrittenAnswer = { written: "written", standing: "completed" };
export const FORGOTTEN_ANSWER: WrittenAnswer = { ...COMPLETED_ANSWER, forgotten: true };

/** After these the stage runs again from its top. A wait is none of them. */
const INTERRUPTED: ReadonlySet<AttemptOutcome> = new Set<AttemptOutcome>([
  "failed",
  "crashed",
  "abandoned",
  "released",
]);
/** A job can be deferred any number of times. This many records show how it goes; more would only fill the disk. */
const MOST_DEFERRALS_RECORDED = 100;
/** What must be cleared up as a job ends. */
const CLEARED_AT_END = HAS_UNIQUE_KEY | HAS_WAITS | HAS_UNDOS | KEYED;

export function decideSettlement(
  { row: found, change: given, now, recordedAttempts = 0, undo }: SettlementFacts,
  stages: StageLookup,
): Settlement {
  const row = undo ? { ...found, flags: undo.flags } : found;
  const decided = undo?.change ?? given;
  const stage = undo ? stages.stage(undo.stage) : stageAfter(row, decided, stages);
  const rules = stages.rules(stage.kind);
  const change = withoutDeadLetter(decided, rules.retention.inputFailures);
  const wanted = codeOf[change.standing];
  const keys = {
    flags: row.flags,
    standing: wanted,
    concurrency: rules.concurrency,
    isContinued: change.continued === true,
  };
  const key = keyChange(keys);
  const standing = key === "arrives" ? SCHEDULED : wanted;
  const isFinished = standing >= COMPLETED;
  // Callers that wait for a job that continued find its successor by its row, so the row stays until the next prune.
  const isForgotten = isFinished && !change.continued && !isLinked(row) && keepsNothing(rules, standing);
  const failure = change.failure ? JSON.stringify(change.failure) : null;
  const attempt = attemptRecord({ row, change, now, recordedAttempts }, failure);
  // What a job waited for is over with its stage. A job that may be revived can come to its waits again.
  const isOver = isFinished || change.advance === true || undo !== undefined;
  const closesWaits = isOver && (row.flags & HAS_WAITS) !== 0;
  return {
    stage,
    columns: {
      stage: stage.id,
      standing,
      run_at: key === "arrives" ? Math.min(change.runAt ?? now, now) : (change.runAt ?? row.run_at),
      attempt: change.advance || stage.id !== row.stage ? 0 : row.attempt,
      failures: change.failures,
      failures_total: change.failuresTotal,
      crashes: change.crashes,
      flags:
        (row.flags | (attempt ? HAS_ATTEMPTS : 0)) &
        (isFinished ? ~(HAS_UNIQUE_KEY | FOLLOWS | WAITING) : ~0) &
        (key === "leaves" || change.continued ? ~HOLDS_KEY : ~0),
      updated_at: now,
      finished_at: isFinished ? now : null,
      // A job that was started has no deadline to start by, so its column serves the hold. A claim and a release clear it.
      expires_at: change.heldUntil ?? row.expires_at,
      output: change.result ?? row.output,
      failure: failure ?? keptFailure(row, change, isFinished),
      cause: standing === FAILED ? deadLetterCause(stage, change) : null,
      held_for: change.waitsFor ?? null,
      progress: null,
    },
    // A settle by the holder leaves the token to the next claim.
    outdatesLease: change.outcome === "cancelled" || change.outcome === "abandoned",
    endsLease: row.standing === RUNNING,
    isFinished,
    isForgotten,
    attempt,
    waitState: closesWaits ? (standing > COMPLETED || undo ? DORMANT : CLOSED) : undefined,
    restartsStreams: (row.flags & HAS_STREAMS) !== 0 && !isFinished && INTERRUPTED.has(change.outcome),
    key,
    dropsUniqueKey: isFinished && !change.continued && (row.flags & HAS_UNIQUE_KEY) !== 0,
    dropsFollower: isFinished && (row.flags & FOLLOWS) !== 0,
    answer: {
      written: "written",
      standing: key === "arrives" ? "scheduled" : change.standing,
      ...((change.advance || stage.id !== row.stage) && !isFinished && { nextStage: stage.name }),
      ...(undo && change.failure && isFinished && { failure: change.failure }),
      ...(change.runAt !== undefined && { runAt: change.runAt }),
      ...(isForgotten && { forgotten: true }),
    },
  };
}

/** Whether other jobs wait for the job, or it has started some. Its row then stays until they no longer need it. */
export function isLinked({ flags }: { flags: number }): boolean {
  return (flags & (HAS_WAITER | HAS_EDGES)) !== 0;
}

/** Whether a settlement depends on the number of recorded attempts. */
export function countsAttempts({ row, change }: Pick<SettlementFacts, "row" | "change">): boolean {
  return row.standing === RUNNING && change.outcome === "deferred";
}

/**
 * The common end: a job completes in its last stage and leaves nothing to clear up. A store writes it in one guarded statement,
 * without a look at the row.
 */
export function isPlainCompletion(
  outcome: Outcome,
  { flags }: { flags: number },
  { next }: StageRow,
  { leavesKey = false }: { leavesKey?: boolean } = {},
): boolean {
  const cleared = leavesKey ? CLEARED_AT_END & ~KEYED : CLEARED_AT_END;
  return outcome.type === "completed" && next === undefined && (flags & cleared) === 0;
}

/** Whether a kind keeps no trace of a job that ends like this. Dead letters are always kept. */
export function keepsNothing({ retention }: Pick<KindPlan, "retention">, standing: number): boolean {
  return retention.finishedMs === "none" && (standing === COMPLETED || standing === CANCELLED || standing === REJECTED);
}

/** How long a kind keeps a job that has ended like this, in milliseconds. */
export function keptMs({ retention }: Pick<KindPlan, "retention">, standing: number): number {
  if (standing === FAILED) return retention.deadLetterMs;
  return retention.finishedMs === "none" ? 0 : retention.finishedMs;
}

function stageAfter(row: JobRow, change: Transition, stages: StageLookup): StageRow {
  const stage = stages.stage(row.stage);
  if (!change.advance) return stage;
  if (stage.next === undefined) throw new Error(`stage ${row.stage} has no next one`);
  return stages.stage(stage.next);
}

/** The attempt that completes a job is the job row itself: one write less on the path that most jobs take. */
function attemptRecord(
  { row, change, now, recordedAttempts = 0 }: SettlementFacts,
  failure: string | null,
): AttemptRecord | undefined {
  if (row.standing !== RUNNING || change.standing === "completed") return undefined;
  if (change.outcome === "deferred" && recordedAttempts >= MOST_DEFERRALS_RECORDED) return undefined;
  return {
    job: row.id,
    stage: row.stage,
    attempt: row.attempt,
    started_at: row.started_at ?? now,
    ended_at: now,
    holder: row.holder,
    slot: row.slot,
    outcome: change.outcome,
    failure,
    beside: change.beside ? JSON.stringify(change.beside) : null,
  };
}

/** Dead letters are grouped by it. Jobs that end otherwise have none. */
function deadLetterCause({ kindName, name }: StageRow, { failure }: Transition): string | null {
  return failure ? causeOf({ kind: kindName, stage: name, code: failure.code, message: failure.message }) : null;
}

/** The failure of an earlier attempt stays in view while the job is retried, and goes with success. */
function keptFailure(row: JobRow, change: Transition, isFinished: boolean): string | null {
  const isOver = isFinished || change.advance === true;
  return isOver && change.standing !== "cancelled" ? null : row.failure;
}
