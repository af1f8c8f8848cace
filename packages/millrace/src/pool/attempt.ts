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
import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Settled, Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";
import { processSpan } from "../telemetry/spans.ts";
import type { Activity } from "./activity.ts";
import { Attempt } from "./attempt-state.ts";
import { aboutAttempt } from "./log-attempt.ts";
import { type AttemptEnd, endOf, faultOf, RELEASED } from "./outcome.ts";
import { emitProgress } from "./progress.ts";
import { checkResult } from "./run/result-check.ts";
import type { Runner } from "./runner.ts";
import { settleOutcome } from "./settle.ts";
import type { Slots } from "./slots.ts";

/** What all attempts of a pool share. */
export interface PoolWork {
  readonly names: StageName;
  readonly kind: Kind;
  readonly stage: Stage;
  readonly timeoutMs: number;
  readonly runner: Runner;
  readonly slots: Slots;
  readonly activity: Activity;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  /** Aborted when outcomes that the store has not taken are given up. */
  readonly giveUp: AbortSignal;
  isStopping: boolean;
}

export async function execute(claimed: ClaimedJob, work: PoolWork): Promise<void> {
  work.activity.begin();
  const attempt = start(claimed, work);
  void run(attempt, work);
  const end = await attempt.end;
  const runMs = work.clock.monotonic() - attempt.startedAt;
  if (end === "lost") drop(attempt, work);
  else {
    const settled = await settle(attempt, end, work);
    if (settled) report(attempt, end, settled, runMs, work);
  }
  work.activity.end();
}

function start(claimed: ClaimedJob, work: PoolWork): Attempt {
  const { names, runner, slots, clock, log } = work;
  const { lease, tenant, attempt, traceParent } = claimed;
  const span = processSpan({ ...names, tenant, jobId: lease.jobId, attempt, traceParent });
  const job = span ? { ...claimed, traceParent: span.traceParent } : claimed;
  const timeoutMs = job.timeoutMs ?? work.timeoutMs;
  const started = new Attempt(job, { span, timeoutMs, startMs: runner.startMs, now: clock.monotonic() });
  slots.take(started);
  if (log.infoEnabled) log.info("claimed", { ...aboutAttempt(job, work.names), attempt });
  return started;
}

async function run(attempt: Attempt, work: PoolWork): Promise<void> {
  const { job, span } = attempt;
  const { runner, kind, slots, log } = work;
  try {
    const begin = () => runner.start(job);
    attempt.running = span ? span.run(begin) : begin();
    const returned = await attempt.running.end;
    const end = kind.result && job.isLast ? await checkResult(kind.result, returned) : returned;
    attempt.hasReturned = true;
    if (slots.reclaim(attempt)) {
      log.info("abandoned processor returned", { ...aboutAttempt(job, work.names), slot: attempt.slot });
    }
    attempt.finish(work.isStopping ? withoutBlame(end) : end);
  } catch (thrown) {
    attempt.hasReturned = true;
    attempt.finish(endOf(thrown));
  }
}

/** A child that dies while this process stops says nothing about its job. */
function withoutBlame(end: AttemptEnd): AttemptEnd {
  return end !== "lost" && end.type === "crashed" ? RELEASED : end;
}

/** Another process has the job, or nobody: there is nothing to settle. */
function drop(attempt: Attempt, { slots }: PoolWork): void {
  attempt.span?.end("lost");
  slots.free(attempt);
}

/** Undefined: the store did not take the outcome. The lease ends by itself, and the job runs again. */
async function settle(attempt: Attempt, outcome: Outcome, work: PoolWork): Promise<Settled | undefined> {
  const { store, log, slots, giveUp } = work;
  const { job, note, span } = attempt;
  span?.end(outcome.type, faultOf(outcome));
  if (note) {
    // A note is worth less than the work: the outcome counts without it.
    store.note(job.lease, note).catch(() => {});
    emitProgress(job, note, work);
  }
  const settling = settleOutcome(store, job.lease, outcome, { log, giveUp });
  // The next claim follows the settle to the store at once, and the two share a commit. With a commit for each, a pool of 10
  // processors would do a tenth of the work.
  slots.free(attempt);
  try {
    return await settling;
  } catch (error) {
    log.error("settle failed", { ...aboutAttempt(job, work.names), error: messageOf(error) });
    return undefined;
  }
}

function report({ job }: Attempt, outcome: Outcome, settled: Settled, runMs: number, work: PoolWork): void {
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
