// CLAIM, PROCESS, SETTLE for one stage. A pool has `size` processors:
//
//   free ──claim──▶ busy ──outcome──▶ settle ──▶ free
//                     ├──slow──▶ it goes on in one of the further places, and another processor takes its own
//                     └──deadline or lost lease──▶ its work no longer counts: the processor is listed as `error` until
//                        its code returns, and another takes its place in the count
//
// Settles and claims go to the store in order, so a slot is free as soon as its settle is on the way: the two share a
// commit. With one job per commit a pool of 10 would do a tenth of the work. Claiming is the Claimer's part.

import { isSuspect } from "../job/crash.ts";
import type { Kind, Stage } from "../job/kind/kind.ts";
import type { Pace } from "../job/kind/plan.ts";
import type { ClaimedJob, LossReason } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Claimed, Note, Settled, Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";
import { processSpan, type WorkSpan } from "../telemetry/spans.ts";
import { AbandonedProcessors } from "./abandoned.ts";
import { slownessOf } from "./child/slowness.ts";
import { Claimer, type SuspectAsk } from "./claimer.ts";
import { firstOf } from "./first-of.ts";
import type { ProcessorView, Runner, Running } from "./processor.ts";
import { checkingResult } from "./result-check.ts";
import { settleOutcome } from "./settle.ts";
import type { SuspectGroup } from "./suspect-group.ts";

export interface PoolOptions {
  kind: Kind;
  stage: Stage;
  size: number;
  timeoutMs: number;
  pace: Pace | undefined;
  store: Store;
  runner: Runner;
  suspects: SuspectGroup;
  maxCrashes: number;
  clock: Clock;
  log: Log;
  events: PoolEvents;
}

export interface PoolEvents {
  claimed(jobs: ClaimedJob[]): void;
  settled(event: SettledEvent): void;
  /** The last progress and log lines of an attempt go to the store with its outcome. */
  noted(job: ClaimedJob, note: Note): void;
  /** As many processors hang as the pool has: this process can no longer do this stage's work. */
  stuck(pool: string): void;
}

export interface SettledEvent {
  kind: string;
  stage: string;
  job: ClaimedJob;
  outcome: Outcome;
  settled: Settled;
  waitMs: number;
  runMs: number;
}

/** One processor at work. */
interface Busy {
  readonly slot: number;
  readonly job: ClaimedJob;
  running: Running | undefined;
  /** Monotonic, so that a clock set forward ends nobody early. */
  readonly startedAt: number;
  /** Of an isolated processor: put off to when its work began. */
  deadlineAt: number;
  readonly timeoutMs: number;
  readonly span: WorkSpan | undefined;
  /** Its outcome is on the way to the store, or no longer counts. */
  over: boolean;
  /** It has one of the places for long attempts, and its own is taken by another. */
  slow: boolean;
}

/** While the store works on a part, the processors work on another. */
const CLAIM_AT_ONCE = 250;
const SLOW_AGAIN_MS = 500;
const SILENT_MS = 30_000;
/** For what is settled last: longer than a commit takes, shorter than a supervisor waits. */
const LAST_SETTLES_MS = 3_000;

export class Pool {
  readonly name: string;
  readonly #options: PoolOptions;
  readonly #claimer: Claimer;
  readonly #busy = new Map<number, Busy>();
  readonly #abandoned: AbandonedProcessors;
  readonly #quiet: (() => void)[] = [];
  #nextSlot = 0;
  #settles = 0;
  readonly #giveUp = new AbortController();
  #toldStuck = false;
  #stopping = false;

  constructor(options: PoolOptions) {
    const { kind, stage, size, store, clock, log, suspects, maxCrashes, runner } = options;
    this.#options = options;
    this.name = `${kind.name}/${stage.name}`;
    this.#abandoned = new AbandonedProcessors(clock);
    this.#claimer = new Claimer({
      pool: this.name,
      slots: Array.from({ length: size }, () => this.#nextSlot++),
      inline: this.#inline,
      atOnce: store.claimAtOnce ?? CLAIM_AT_ONCE,
      suspects,
      maxCrashes,
      clock,
      log,
      mayClaim: () => runner.broken === undefined,
      ask: (slots, room) => this.#ask(slots, room),
      claimed: (jobs) => {
        options.events.claimed(jobs);
        for (const job of jobs) this.#start(job);
      },
      rested: () => this.#tellIfQuiet(),
    });
  }

  // ── claim ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** There may be work. Cheap: any number of calls in one turn of the loop make one claim. */
  poke(): void {
    this.#claimer.poke();
  }

  #ask(slots: number[], room: SuspectAsk): Promise<Claimed> {
    const { store, kind, stage, pace } = this.#options;
    const timeoutMs = this.#options.timeoutMs + this.#options.runner.startMs;
    return store.claim({
      kind: kind.name,
      stage: stage.name,
      ...(stage.renamedFrom && { renamedFrom: stage.renamedFrom }),
      slots,
      ...room,
      timeoutMs,
      ...(pace && { pace }),
      ...(stage.retryTimeouts === false && { retryTimeouts: false }),
    });
  }

  // ── process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #start(claimed: ClaimedJob): void {
    const { clock, log, runner } = this.#options;
    const { slot } = claimed.lease;
    const span = this.#span(claimed);
    const job = span ? { ...claimed, traceParent: span.traceParent } : claimed;
    if (log.infoEnabled) log.info("claimed", { ...this.#about(job), attempt: job.attempt });
    const timeoutMs = job.timeoutMs ?? this.#options.timeoutMs;
    const startedAt = clock.monotonic();
    const busy: Busy = {
      slot,
      job,
      startedAt,
      timeoutMs,
      deadlineAt: startedAt + timeoutMs + runner.startMs,
      span,
      over: false,
      slow: false,
      running: undefined,
    };
    this.#busy.set(slot, busy);
    const ended = (outcome: Outcome | "lost") => this.#ended(busy, outcome);
    const { result } = this.#options.kind;
    const start = () => runner.start(job, result && job.isLast ? checkingResult(result, ended) : ended);
    busy.running = span ? span.run(start) : start();
  }

  #span({ lease, tenant, attempt, traceParent }: ClaimedJob): WorkSpan | undefined {
    const { kind, stage } = this.#options;
    return processSpan({ kind: kind.name, stage: stage.name, tenant, jobId: lease.jobId, attempt, traceParent });
  }

  #ended(busy: Busy, outcome: Outcome | "lost"): void {
    if (this.#abandoned.returned(busy.slot)) {
      this.#options.log.info("abandoned processor returned", { ...this.#about(busy.job), slot: busy.slot });
    }
    if (busy.over) return;
    if (outcome === "lost") busy.span?.end("lost");
    // What dies while this process stops is nobody's fault.
    else this.#settle(busy, this.#stopping && outcome.type === "crashed" ? { type: "released" } : outcome);
    this.#replace(busy, busy.slot);
  }

  /** Called ten times a second: deadlines, and the runner's own care. */
  tick(): void {
    const { clock, runner, stage } = this.#options;
    const now = clock.monotonic();
    runner.tick();
    for (const busy of this.#busy.values()) {
      const since = busy.running?.workingSince;
      if (!this.#inline && since !== undefined) busy.deadlineAt = Math.min(busy.deadlineAt, since + busy.timeoutMs);
      if (now >= busy.deadlineAt) this.#timeOut(busy);
      else if (stage.slow && !busy.over) this.#watchSlow(busy, stage.slow);
    }
    this.#abandoned.tick();
    if (this.stuck && !this.#toldStuck) this.#options.events.stuck(this.name);
    this.#toldStuck = this.stuck;
  }

  /** Short attempts shall not wait behind long ones. Where no place for long ones is free, it is put off, not failed. */
  #watchSlow(busy: Busy, { afterMs, processors }: { afterMs: number; processors: number }): void {
    const slowness = busy.running ? slownessOf(busy.running.time(), afterMs) : "none";
    if (slowness === "none") return;
    if (busy.slow) {
      if (slowness === "extreme") busy.running?.slowDown();
      return;
    }
    const slow = [...this.#busy.values()].filter((each) => each.slow).length;
    if (slow < processors) {
      busy.slow = true;
      this.#options.log.debug("attempt is slow", this.#about(busy.job));
      return this.#claimer.add(this.#nextSlot++);
    }
    if (slowness !== "extreme") return;
    this.#settle(busy, { type: "deferred", delayMs: SLOW_AGAIN_MS, reason: "all places for long attempts are taken" });
    busy.running?.kill();
    this.#abandon(busy, "It took long, and all places for that were taken.");
  }

  #timeOut(busy: Busy): void {
    const { stage, log } = this.#options;
    if (busy.over) return;
    const message = (stage.timeoutMessage ?? "Timed out after {ms} ms.").replace("{ms}", String(busy.timeoutMs));
    log.warn("processor stuck", { ...this.#about(busy.job), slot: busy.slot, timeoutMs: busy.timeoutMs });
    this.#settle(busy, {
      type: "failed",
      failure: { code: "timed-out", message, permanent: stage.retryTimeouts === false },
    });
    busy.running?.kill();
    this.#abandon(busy, `${message} Its code has not returned.`);
  }

  /** The store says the lease is gone: cancelled, or somebody took us for dead. */
  lose(jobId: string, token: number, reason: LossReason): boolean {
    for (const busy of this.#busy.values()) {
      if (busy.job.lease.jobId !== jobId || busy.job.lease.token !== token || busy.over) continue;
      busy.over = true;
      busy.span?.end("lost", reason);
      this.#options.log.warn("lease lost", { ...this.#about(busy.job), reason });
      busy.running?.lose(reason);
      if (this.#busy.has(busy.slot)) this.#abandon(busy, `Its lease ended (${reason}) and its code has not returned.`);
      return true;
    }
    return false;
  }

  /** Another processor takes its place at once. A child is killed; code in this process can only be waited for. */
  #abandon(busy: Busy, reason: string): void {
    if (!this.#inline) return this.#replace(busy, busy.slot);
    this.#abandoned.add(busy.slot, busy.job, reason, busy.deadlineAt);
    this.#replace(busy, this.#nextSlot++);
  }

  #replace(busy: Busy, bySlot: number): void {
    this.#busy.delete(busy.slot);
    if (this.#inline && isSuspect(busy.job)) this.#options.suspects.leave();
    if (busy.slow) this.poke();
    else this.#claimer.free(bySlot);
  }

  // ── settle ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #settle(busy: Busy, outcome: Outcome): void {
    const { store, log } = this.#options;
    busy.over = true;
    busy.span?.end(outcome.type, "failure" in outcome ? outcome.failure.message : undefined);
    const { lease } = busy.job;
    const note = busy.running?.takeNote();
    // Words about the work are worth less than the work: without them it still counts.
    if (note) {
      store.note(lease, note).catch(() => {});
      this.#options.events.noted(busy.job, note);
    }
    const runMs = this.#options.clock.monotonic() - busy.startedAt;
    this.#settles++;
    settleOutcome(store, lease, outcome, { log, giveUp: this.#giveUp.signal }).then(
      (settled) => {
        this.#settles--;
        this.#tell(busy.job, outcome, settled, runMs);
        this.#tellIfQuiet();
      },
      (error) => {
        this.#settles--;
        log.error("settle failed", { ...this.#about(busy.job), error: messageOf(error) });
        this.#tellIfQuiet();
      },
    );
  }

  #tell(job: ClaimedJob, outcome: Outcome, settled: Settled, runMs: number): void {
    const { kind, stage, events } = this.#options;
    const waitMs = Math.max(0, job.claimedAt - job.runAt);
    events.settled({ kind: kind.name, stage: stage.name, job, outcome, settled, waitMs, runMs });
  }

  // ── stop ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Resolves when nothing is being claimed, running or being settled. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet.push(resolve);
      this.#tellIfQuiet();
    });
  }

  #tellIfQuiet(): void {
    if (this.#quiet.length === 0 || !this.#claimer.resting || this.#busy.size + this.#settles > 0) return;
    for (const resolve of this.#quiet.splice(0)) resolve();
  }

  /** Stops claiming, lets running work finish within the grace, hands the rest back without burning an attempt. */
  async stop({ graceMs, hurry }: { graceMs: number; hurry?: AbortSignal }): Promise<void> {
    this.#stopping = true;
    this.#claimer.stop();
    await firstOf(this.quiet(), graceMs, hurry);
    for (const busy of this.#busy.values()) {
      if (!busy.over) this.#settle(busy, { type: "released" });
      busy.running?.lose("shutting-down");
    }
    this.#busy.clear();
    await this.#options.runner.stop();
    await firstOf(this.quiet(), LAST_SETTLES_MS);
    this.#giveUp.abort();
    await this.quiet();
  }

  // ── look ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** When the next scheduled job may run, as the store last said. */
  get nextAt(): number | undefined {
    return this.#claimer.nextAt;
  }

  get busyCount(): number {
    return this.#busy.size;
  }

  /** Processors that are listed as `error`. */
  get errorCount(): number {
    const resting = Math.max(0, this.#options.size - this.#busy.size);
    return this.#abandoned.count + (this.broken === undefined ? 0 : resting);
  }

  /** What keeps it from working, in a sentence. */
  get problem(): string | undefined {
    if (this.stuck) return `All processors of ${this.name} hang.`;
    // While its processes start slowly it claims nothing either: see `delay`.
    if (this.broken !== undefined) return this.delay === undefined ? `${this.name}: ${this.broken}` : undefined;
    const { silentMs } = this.#claimer;
    return silentMs > SILENT_MS
      ? `${this.name} has not managed to claim for ${Math.round(silentMs / 1_000)} s.`
      : undefined;
  }

  /** What holds it up for the moment, though nothing is wrong with it. */
  get delay(): string | undefined {
    return this.#options.runner.startsSlowly ? `The processors of ${this.name} start slowly.` : undefined;
  }

  /** How many jobs it has claimed since it was made. */
  get claimed(): number {
    return this.#claimer.claimed;
  }

  get broken(): string | undefined {
    return this.#options.runner.broken;
  }

  get stuck(): boolean {
    return this.#abandoned.hanging >= this.#options.size;
  }

  processors(): ProcessorView[] {
    const { clock, runner, size } = this.#options;
    const wall = clock.now() - clock.monotonic();
    const iso = (monotonic: number) => new Date(wall + monotonic).toISOString();
    const busy = [...this.#busy.values()].map(
      ({ slot, job, startedAt, deadlineAt }): ProcessorView => ({
        slot,
        state: "busy",
        jobId: job.lease.jobId,
        tenant: job.tenant,
        since: iso(startedAt),
        deadline: iso(deadlineAt),
      }),
    );
    const resting = Array.from({ length: Math.max(0, size - busy.length) }, (_, i): ProcessorView => {
      const slot = this.#claimer.slots[i] ?? i;
      return runner.broken
        ? { slot, state: "error", reason: runner.broken, since: iso(clock.monotonic()) }
        : { slot, state: "idle" };
    });
    return [...busy, ...resting, ...this.#abandoned.views()];
  }

  get #inline(): boolean {
    return this.#options.stage.work.in === "here";
  }

  #about(job: ClaimedJob): Record<string, unknown> {
    return {
      jobId: job.lease.jobId,
      kind: this.#options.kind.name,
      stage: this.#options.stage.name,
      tenantId: job.tenant,
      ...(job.traceId !== undefined && { traceId: job.traceId }),
    };
  }
}
