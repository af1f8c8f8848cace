// CLAIM, PROCESS, SETTLE for one stage: the processors of one kind and stage in this process.
//
//   claimer.ts ──jobs──▶ attempt.ts (start, run, end, settle, report) ──slot──▶ claimer.ts
//
// slots.ts has the states of a processor, watch.ts ends attempts that take too long.

import type { Events } from "../events/events.ts";
import type { Kind, Stage } from "../job/kind/kind.ts";
import type { Pace } from "../job/kind/pace.ts";
import type { LossReason } from "../job/lease.ts";
import type { Clock } from "../lib/clock.ts";
import { firstOf } from "../lib/first-of.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";
import { Activity } from "./activity.ts";
import { executeAll, type PoolWork } from "./attempt.ts";
import { Claimer, type ClaimerOptions } from "./claimer.ts";
import { RELEASED } from "./outcome.ts";
import type { AttemptRunner, ProcessorView } from "./runner.ts";
import { Slots } from "./slots.ts";
import type { SuspectGroup } from "./suspect-group.ts";
import { loseAttempt, watchAttempt } from "./watch.ts";

export interface PoolOptions {
  kind: Kind;
  stage: Stage;
  size: number;
  timeoutMs: number;
  pace: Pace | undefined;
  store: Store;
  runner: AttemptRunner;
  suspects: SuspectGroup;
  maxCrashes: number;
  clock: Clock;
  log: Log;
  events: Events;
}

/** While the store works on a part of this size, the processors work on another. */
const CLAIM_AT_ONCE = 250;
const SILENT_MS = 30_000;
/** The time limit for the settles of a stop: longer than a commit takes, shorter than a supervisor waits. */
const LAST_SETTLES_MS = 3_000;

export class Pool {
  readonly name: string;
  readonly #options: PoolOptions;
  readonly claimer: Claimer;
  readonly #slots: Slots;
  readonly #activity = new Activity();
  readonly #giveUp = new AbortController();
  readonly #work: PoolWork;

  constructor(options: PoolOptions) {
    const { kind, stage, size, timeoutMs, store, runner, suspects, maxCrashes, clock, log, events } = options;
    const isInline = stage.work.in === "here";
    this.#options = options;
    this.name = `${kind.name}/${stage.name}`;
    this.claimer = new Claimer({
      store,
      pool: this.name,
      request: () => requestOf(options),
      size,
      inline: isInline,
      atOnce: store.claimAtOnce ?? CLAIM_AT_ONCE,
      suspects,
      maxCrashes,
      clock,
      log,
      activity: this.#activity,
      mayClaim: () => runner.broken === undefined,
    });
    this.#slots = new Slots({ size, isInline, claimer: this.claimer, suspects, clock });
    this.#work = {
      ...{ kind, stage, names: { kind: kind.name, stage: stage.name }, timeoutMs, runner, store, clock, log, events },
      ...{ slots: this.#slots, activity: this.#activity, giveUp: this.#giveUp.signal, isStopping: false },
    };
    void executeAll(this.claimer.jobs(), this.#work);
  }

  /** Called ten times a second: deadlines, slow attempts, and the runner's own care. */
  tick(): void {
    this.#options.runner.tick();
    for (const attempt of this.#slots.busy) watchAttempt(attempt, this.#work);
    this.#slots.abandoned.tick();
  }

  /**
   * Ends the attempt of a lease that is gone, as the store says. Returns false if the lease is not one of this pool's.
   */
  lose(jobId: string, token: number, reason: LossReason): boolean {
    const held = this.#slots.busy.find(
      ({ job: { lease }, isOver }) => lease.jobId === jobId && lease.token === token && !isOver,
    );
    if (held) loseAttempt(held, reason, this.#work);
    return held !== undefined;
  }

  /** Resolves when nothing is being claimed, running or being settled. */
  quiet(): Promise<void> {
    return this.#activity.quiet();
  }

  /** Stops claiming, lets running work finish within the grace, and hands the rest back without using up an attempt. */
  async stop({ graceMs, hurry }: { graceMs: number; hurry?: AbortSignal }): Promise<void> {
    this.#work.isStopping = true;
    this.claimer.stop();
    await firstOf(this.quiet(), graceMs, hurry);
    for (const attempt of this.#slots.busy) {
      attempt.finish(RELEASED);
      attempt.running?.lose("shutting-down");
    }
    await this.#options.runner.stop();
    await firstOf(this.quiet(), LAST_SETTLES_MS);
    this.#giveUp.abort();
    await this.quiet();
  }

  // ── what others see of it ───────────────────────────────────────────────────────────────────────────────────────

  get busyCount(): number {
    return this.#slots.busyCount;
  }

  /** How many processors are listed as `error`. */
  get errorCount(): number {
    const resting = Math.max(0, this.#options.size - this.busyCount);
    return this.#slots.abandoned.count + (this.#broken === undefined ? 0 : resting);
  }

  /** Whether as many processors hang as the pool has. This process can then no longer do this stage's work. */
  get isStuck(): boolean {
    return this.#slots.abandoned.hanging >= this.#options.size;
  }

  /** What keeps the pool from working, in a sentence. */
  get problem(): string | undefined {
    if (this.isStuck) return `All processors of ${this.name} hang.`;
    // A pool whose processes start slowly claims nothing either: see `delay`.
    if (this.#broken !== undefined) return this.delay === undefined ? `${this.name}: ${this.#broken}` : undefined;
    const { silentMs } = this.claimer;
    if (silentMs <= SILENT_MS) return undefined;
    return `${this.name} has not claimed for ${Math.round(silentMs / 1_000)} s.`;
  }

  /** What delays the pool for the moment, though nothing is wrong with it. */
  get delay(): string | undefined {
    return this.#options.runner.startsSlowly ? `The processors of ${this.name} start slowly.` : undefined;
  }

  processors(): ProcessorView[] {
    return this.#slots.views(this.#broken);
  }

  get #broken(): string | undefined {
    return this.#options.runner.broken;
  }
}

function requestOf({ kind, stage, pace, timeoutMs, runner }: PoolOptions): ReturnType<ClaimerOptions["request"]> {
  return {
    kind: kind.name,
    stage: stage.name,
    ...(stage.renamedFrom && { renamedFrom: stage.renamedFrom }),
    timeoutMs: timeoutMs + runner.startMs,
    ...(pace && { pace }),
    ...(stage.retryTimeouts === false && { retryTimeouts: false }),
  };
}
