// One attempt, from the claimed job to the report of how it ended:
//
//   start ──▶ run ──▶ end ──▶ settle ──▶ report
//
// The end is the first of these: the code returns or throws, the deadline passes, the lease is lost, a slow attempt is put off
// (all in watch.ts), or the pool stops (pool.ts). Each calls `attempt.finish`, and only the first call counts. Code in this
// process cannot be killed, so it may return long after its attempt has ended.

import type { StageName } from "../events/event.ts";
import type { Events } from "../events/events.ts";
import type { Kind, Stage } from "../job/kind/kind.ts";
import type { ClaimedJob } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import type { SettleAnswer, SettleResult } from "../store/verbs/attempts.ts";
import type { RefusedSettlement } from "../store/verbs/follow-ups.ts";
import type { Log } from "../telemetry/log/log.ts";
import { processSpan } from "../telemetry/spans.ts";
import type { Activity } from "./activity.ts";
import { RunningAttempt } from "./attempt-state.ts";
import { aboutAttempt } from "./log-attempt.ts";
import { type AttemptEnd, endOf, faultOf, RELEASED } from "./outcome.ts";
import { emitProgress } from "./progress.ts";
import { checkContinuation } from "./run/continuation-check.ts";
import { checkResult } from "./run/result-check.ts";
import type { AttemptRunner } from "./runner.ts";
import { settleAgain } from "./settle.ts";
import type { Slots } from "./slots.ts";

/** What all attempts of a pool share. */
export interface PoolWork {
  readonly names: StageName;
  readonly kind: Kind;
  readonly stage: Stage;
  readonly timeoutMs: number;
  readonly runner: AttemptRunner;
  readonly slots: Slots;
  readonly activity: Activity;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  /** Aborted when the pool gives up on outcomes that the store has not taken. */
  readonly giveUp: AbortSignal;
  isStopping: boolean;
}

/** Runs the jobs that the claimer yields, each in an attempt of its own. */
export async function executeAll(batches: AsyncIterable<ClaimedJob[]>, work: PoolWork): Promise<void> {
  for await (const jobs of batches) {
    work.events.emit({ type: "claimed", ...work.names, jobs });
    for (const job of jobs) void execute(job, work);
  }
}

/**
 * Runs one attempt. It is one async function, because each further one would cost a no-op job a tenth of its time in
 * the pool.
 */
async function execute(claimed: ClaimedJob, work: PoolWork): Promise<void> {
  work.activity.begin();
  const attempt = start(claimed, work);
  run(attempt, work);
  const end = await attempt.end;
  if (end === "lost") drop(attempt, work);
  else if (attempt.settled) reportSettled(attempt, end, attempt.settled, work);
  else {
    let settled: SettleAnswer | undefined;
    try {
      settled = await settle(attempt, end, work);
    } catch (error) {
      settled = await settleAgain(attempt, end, error, work);
    }
    if (settled?.written === "refused") await failRefused(attempt, settled, work);
    else if (settled) report(attempt, end, settled, work);
  }
  work.activity.end();
}

function start(claimed: ClaimedJob, work: PoolWork): RunningAttempt {
  const { names, runner, slots, clock, log } = work;
  const { lease, tenant, attempt, traceParent } = claimed;
  const { kind, stage } = names;
  const span = processSpan({ kind, stage, tenant, jobId: lease.jobId, attempt, traceParent });
  const job = span ? { ...claimed, traceParent: span.traceParent } : claimed;
  const timeoutMs = job.timeoutMs ?? work.timeoutMs;
  const started = new RunningAttempt(job, { span, timeoutMs, startMs: runner.startMs, now: clock.monotonic() });
  slots.take(started);
  if (log.infoEnabled) log.info("claimed", { ...aboutAttempt(job, work.names), attempt });
  return started;
}

function run(attempt: RunningAttempt, work: PoolWork): void {
  const { job, span } = attempt;
  const { runner, kind } = work;
  const returned = (end: AttemptEnd): void => {
    if (end !== "lost" && end.type === "continued") {
      void checkContinuation(kind, end).then((checked) => afterCode(attempt, checked, work));
      return;
    }
    if (!kind.result || !job.isLast) return afterCode(attempt, end, work);
    void checkResult(kind.result, end).then((checked) => afterCode(attempt, checked, work));
  };
  try {
    attempt.running = span ? span.run(() => runner.start(job, returned)) : runner.start(job, returned);
  } catch (thrown) {
    afterCode(attempt, endOf(thrown), work);
  }
}

/** The code has returned or thrown, perhaps after its attempt has ended. */
function afterCode(attempt: RunningAttempt, end: AttemptEnd, { slots, log, names, isStopping }: PoolWork): void {
  attempt.hasReturned = true;
  if (slots.reclaim(attempt)) {
    log.info("abandoned processor returned", { ...aboutAttempt(attempt.job, names), slot: attempt.slot });
  }
  logIgnoredEnd(attempt, end, log, names);
  attempt.finish(isStopping ? withoutBlame(end) : end);
}

/** After a transaction has completed the stage, nothing that the processor does changes its outcome. */
function logIgnoredEnd({ running, job }: RunningAttempt, end: AttemptEnd, log: Log, names: StageName): void {
  const completion = running?.completion;
  if (!completion || end === "lost") return;
  const about = { ...aboutAttempt(job, names), completedBy: completion.by };
  const fault = faultOf(end);
  if (fault !== undefined) log.warn("error after completion ignored", { ...about, error: fault });
  else if (end.type !== "completed") log.warn("outcome after completion ignored", { ...about, outcome: end.type });
  else if (end.result !== "null" && end.result !== completion.outcome.result) {
    log.info("result after completion ignored", about);
  }
}

/** A child that dies while this process stops says nothing about its job. */
function withoutBlame(end: AttemptEnd): AttemptEnd {
  return end !== "lost" && end.type === "crashed" ? RELEASED : end;
}

/** Gives the slot back. Another process may have the job by now, so there is nothing to settle. */
function drop(attempt: RunningAttempt, { slots }: PoolWork): void {
  attempt.span?.end("lost");
  slots.free(attempt);
}

/** Reports an attempt that a transaction of its processor has settled. */
function reportSettled(attempt: RunningAttempt, end: Outcome, settled: SettleResult, work: PoolWork): void {
  attempt.runMs = work.clock.monotonic() - attempt.startedAt;
  attempt.span?.end(end.type);
  work.slots.free(attempt);
  report(attempt, end, settled, work);
}

function settle(attempt: RunningAttempt, outcome: Outcome, work: PoolWork): Promise<SettleAnswer> {
  const { store, slots, clock } = work;
  const { job, note, span } = attempt;
  attempt.runMs = clock.monotonic() - attempt.startedAt;
  span?.end(outcome.type, faultOf(outcome));
  if (note) {
    // A note is worth less than the work, so the outcome counts without it. It is sent again if the outcome is.
    store.note(job.lease, note).then(
      () => {
        attempt.note = undefined;
      },
      () => {},
    );
    emitProgress(job, note, work);
  }
  try {
    return store.settle(job.lease, outcome);
  } finally {
    // The next claim follows the settle to the store at once, and the two share a commit. With a commit for each, a pool of
    // 10 processors would do a tenth of the work.
    slots.free(attempt);
  }
}

/**
 * The store refused what the attempt wanted to write with its end. So the attempt fails, and is retried like any other.
 */
async function failRefused(
  attempt: RunningAttempt,
  { code, message }: RefusedSettlement,
  work: PoolWork,
): Promise<void> {
  const outcome: Outcome = { type: "failed", failure: { code, message, permanent: false } };
  const { store } = work;
  const settle = () => store.settle(attempt.job.lease, outcome);
  const settled = await settle().catch((error) => settleAgain(attempt, outcome, error, work));
  if (settled && settled.written !== "refused") report(attempt, outcome, settled, work);
}

function report({ job, runMs }: RunningAttempt, outcome: Outcome, settled: SettleResult, work: PoolWork): void {
  const { names, events, clock } = work;
  events.emit({
    type: "settled",
    kind: names.kind,
    stage: names.stage,
    job,
    outcome,
    settled,
    waitMs: Math.max(0, job.claimedAt - job.runAt),
    runMs,
    at: clock.now(),
  });
}
