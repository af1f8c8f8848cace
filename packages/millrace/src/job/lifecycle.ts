// THE STATE MACHINE. Pure: both stores ask it what comes next, and only guard (by lease token) and write.

import { backoffMs } from "../lib/backoff.ts";
import { unreachable } from "../lib/unreachable.ts";
import {
  type Death,
  describeNeighbours,
  type JobPast,
  judge,
  judgeOwnCrash,
  type Neighbours,
  standingWhenDue,
} from "./crash.ts";
import { NO_REASON } from "./deferral.ts";
import type { Failure } from "./failure.ts";
import type { AttemptOutcome, Standing } from "./job.ts";
import type { StagePlan } from "./kind/plan.ts";
import type { NewWait } from "./wait.ts";

/** How an attempt ended, as its processor or its pool reports it. */
export type Outcome =
  | { type: "completed"; result: string }
  | { type: "failed"; failure: Failure; retryAfterMs?: number }
  | { type: "crashed"; failure: Failure }
  | ({ type: "deferred"; reason?: string } & ({ runAt: number } | { delayMs: number }))
  | { type: "held"; reason: string; timeoutMs?: number }
  | { type: "waiting"; waits: NewWait[] }
  | { type: "released" }
  /** The job is completed, and a successor with this payload goes on in its place. */
  | { type: "continued"; payload: string }
  /** The undo handlers of the stage have run. */
  | { type: "undone" }
  /** The job was cancelled, and the steps that were under way are stored. */
  | { type: "cancelled" };

/** The facts about a job that a decision needs. */
export interface Standpoint {
  failures: number;
  failuresTotal: number;
  crashes: number;
  /** The job's own bound, where its submission set one. */
  maxAttempts?: number;
  /** For each lone death in this stage, the jobs that ran beside the job; missing: none. */
  loneDeaths?: readonly Neighbours[];
}

export interface Moment {
  now: number;
  random: () => number;
}

/** The change to write. `advance` moves the job to the next stage. */
export interface Transition extends Standpoint {
  outcome: AttemptOutcome;
  standing: Standing;
  runAt?: number;
  failure?: Failure;
  /** Why the job waits: for its release, or after a deferral until `runAt`. */
  waitsFor?: string;
  /** When a hold ends by itself, and the job fails. */
  heldUntil?: number;
  result?: string;
  advance?: true;
  /** A successor goes on in the place of the job. */
  continued?: true;
  /** The undo handlers of the stage have run. */
  undone?: true;
  /** The attempt ended in a lone death: the jobs that ran beside it. */
  beside?: Neighbours;
}

export function afterAttempt(
  job: Standpoint,
  outcome: Outcome,
  plan: StagePlan & { last: boolean },
  moment: Moment,
): Transition {
  switch (outcome.type) {
    case "completed":
      return plan.last
        ? { ...kept(job), outcome: "completed", standing: "completed", result: outcome.result }
        : {
            failures: 0,
            failuresTotal: job.failuresTotal,
            crashes: 0,
            outcome: "completed",
            standing: "ready",
            runAt: moment.now,
            result: outcome.result,
            advance: true,
          };
    case "continued":
      return { ...kept(job), outcome: "completed", standing: "completed", result: "null", continued: true };
    case "failed":
      return afterFailure(job, outcome, plan, moment);
    case "crashed":
      return afterOwnCrash(job, plan, moment, outcome.failure);
    case "deferred":
      return {
        ...kept(job),
        outcome: "deferred",
        standing: "scheduled",
        runAt: Math.max(
          "runAt" in outcome ? outcome.runAt : later(moment, outcome.delayMs),
          moment.now + SHORTEST_DEFERRAL_MS,
        ),
        waitsFor: outcome.reason ?? NO_REASON,
      };
    case "held":
      return {
        ...kept(job),
        outcome: "held",
        standing: "held",
        waitsFor: outcome.reason,
        ...(outcome.timeoutMs !== undefined && { heldUntil: later(moment, outcome.timeoutMs) }),
      };
    case "waiting":
      // A wait burns no attempt, and failures count from the last answered wait on. The store knows when the job is due.
      return { failures: 0, failuresTotal: job.failuresTotal, crashes: 0, outcome: "waiting", standing: "scheduled" };
    case "undone":
      return { ...kept(job), outcome: "completed", standing: "ready", undone: true };
    case "cancelled":
      return { ...kept(job), outcome: "cancelled", standing: "cancelled", failure: CANCELLED };
    case "released":
      // The job keeps its place in the queue: a deploy must not put it behind everything that waits.
      return { ...kept(job), outcome: "released", standing: standingWhenDue(job) };
    default:
      return unreachable(outcome);
  }
}

/** The process that worked on the job died. The job keeps its place in the queue and waits for nothing. */
export function afterDeath(job: Standpoint & { id: string }, plan: StagePlan, death: Death, past: JobPast): Transition {
  const { guilty, ...verdict } = judge(job, plan, death, past);
  const counted = { ...kept(job), ...verdict, outcome: "abandoned" as const };
  if (!guilty) return { ...counted, standing: standingWhenDue(verdict), failure: LEASE_EXPIRED };
  const message = `${verdict.crashes} processes crashed while they ran this job. ${describeNeighbours(job, death)}`;
  return { ...counted, standing: "failed", failure: { code: "crashed", message, permanent: true } };
}

const CANCELLED: Failure = { code: "cancelled", message: "The job was cancelled.", permanent: true };

const LEASE_EXPIRED: Failure = {
  code: "lease-expired",
  message: "The process that ran this job stopped renewing its lease.",
  permanent: false,
};

/** The submission of the job was refused after the caller had committed it. */
export function afterRefusal(job: Standpoint, failure: Failure): Transition {
  return { ...kept(job), outcome: "failed", standing: "failed", failure };
}

/** A job that was not started in time fails, instead of waiting for ever. */
export function afterDeadlineUnstarted(job: Standpoint, waitedMs: number): Transition {
  return {
    ...kept(job),
    outcome: "failed",
    standing: "failed",
    failure: {
      code: "backpressure",
      message: `The job was not started within ${waitedMs} ms, because the queue was too long.`,
      permanent: true,
    },
  };
}

/** A held job was not released in time. */
export function afterHoldExpired(job: Standpoint, held: { reason: string; forMs: number }): Transition {
  return {
    ...kept(job),
    outcome: "failed",
    standing: "failed",
    failure: {
      code: "hold-expired",
      message: `The job was not released within ${held.forMs} ms. Reason for the hold: ${held.reason}`,
      permanent: true,
    },
  };
}

/** A failure whose code the kind counts among those of the input makes no dead letter. */
export function withoutDeadLetter(change: Transition, inputFailures: readonly string[] | undefined): Transition {
  if (change.standing !== "failed" || !inputFailures?.includes(change.failure?.code ?? "")) return change;
  return { ...change, standing: "rejected" };
}

function afterFailure(
  job: Standpoint,
  outcome: { failure: Failure; retryAfterMs?: number },
  plan: StagePlan,
  moment: Moment,
): Transition {
  const { failure } = outcome;
  const counted = { failures: job.failures + 1, failuresTotal: job.failuresTotal + 1, crashes: job.crashes };
  const exhausted = counted.failures >= (job.maxAttempts ?? plan.maxAttempts);
  if (failure.permanent || exhausted) {
    return { ...counted, outcome: "failed", standing: failure.input ? "rejected" : "failed", failure };
  }
  const delayMs = outcome.retryAfterMs ?? backoffMs(counted.failures, plan.retry, moment.random);
  return { ...counted, outcome: "failed", standing: "scheduled", runAt: later(moment, delayMs), failure };
}

/** Moments are whole milliseconds within reach, and none lies before now: a store would refuse anything else. */
function later({ now }: Moment, delayMs: number): number {
  return now + Math.min(TEN_YEARS_MS, Math.max(0, Math.ceil(delayMs)));
}

/** A deferral burns no attempt, so nothing else would stop a processor that always defers from spinning: 20 turns a second. */
const SHORTEST_DEFERRAL_MS = 50;

const TEN_YEARS_MS = 3_660 * 24 * 3_600_000;

/** The child process that ran this job alone died. */
function afterOwnCrash(job: Standpoint, plan: StagePlan, moment: Moment, failure: Failure): Transition {
  const { guilty, ...verdict } = judgeOwnCrash(job, plan);
  const counted = { ...kept(job), ...verdict, outcome: "crashed" as const };
  if (guilty) {
    const message = `The processor crashed ${verdict.crashes} times while it ran this job. Last crash: ${failure.message}`;
    return { ...counted, standing: "failed", failure: { code: "crashed", message, permanent: true } };
  }
  if (verdict.crashes === 1) return { ...counted, standing: "ready", failure };
  const delayMs = backoffMs(verdict.crashes - 1, plan.retry, moment.random);
  return { ...counted, standing: "scheduled", runAt: moment.now + delayMs, failure };
}

function kept(job: Standpoint): Standpoint {
  return { failures: job.failures, failuresTotal: job.failuresTotal, crashes: job.crashes };
}
