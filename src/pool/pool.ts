// CLAIM, PROCESS, SETTLE for one stage. A pool has `size` processors:
//
//   free ──claim──▶ busy ──outcome──▶ settle ──▶ free
//                     └──deadline──▶ settle as timed out; the processor is listed as `error` until its code returns,
//                                    and another takes its place in the count
//
// Settles and claims go to the store in order, so a slot is free as soon as its settle is on the way: the two share a
// commit. With one job per commit a pool of 10 would do a tenth of the work.

import type { Kind, Stage } from "../job/kind.ts";
import type { ClaimedJob, LossReason } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { Pace } from "../job/plan.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Settled, Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { type Busy, LISTED_AFTER_ERROR_MS, type ProcessorView, type Runner, type Running } from "./processor.ts";
import { settleOutcome } from "./settle.ts";

export interface PoolOptions {
  kind: Kind;
  stage: Stage;
  size: number;
  timeoutMs: number;
  pace: Pace | undefined;
  store: Store;
  runner: Runner;
  quarantine: Quarantine;
  clock: Clock;
  log: Log;
  events: PoolEvents;
}

export interface PoolEvents {
  settled(event: SettledEvent): void;
  claimed?(kind: string, stage: string, jobs: ClaimedJob[]): void;
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

/** One suspect at a time per process: whoever kills it then kills nobody else's work but its own. */
export class Quarantine {
  taken = false;
}

interface Abandoned {
  slot: number;
  jobId: string;
  reason: string;
  since: number;
  /** From here on it counts as hanging: a cancelled job may end in its own time, until its deadline. */
  hangsFrom: number;
  listedUntil: number;
}

const MOST_CLAIMS_UNDER_WAY = 2;
const LONGEST_PAUSE_MS = 5_000;

export class Pool {
  readonly name: string;
  readonly #options: PoolOptions;
  readonly #free: number[] = [];
  readonly #busy = new Map<number, Busy>();
  readonly #abandoned = new Map<number, Abandoned>();
  /** Claims on their way and attempts that run; settles not yet answered. */
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #settling = new Set<Promise<unknown>>();
  #nextSlot = 0;
  #claimed = 0;
  #claims = 0;
  #poked = false;
  #stopping = false;
  #pauseMs = 0;
  #pausedUntil = 0;
  #nextAt: number | undefined;
  #lastClaimAt: number;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.name = `${options.kind.name}/${options.stage.name}`;
    this.#lastClaimAt = options.clock.monotonic();
    for (let i = 0; i < options.size; i++) this.#free.push(this.#nextSlot++);
  }

  /** There may be work. Cheap: any number of calls in one turn of the loop make one claim. */
  poke(): void {
    if (this.#poked || this.#stopping) return;
    this.#poked = true;
    queueMicrotask(() => {
      this.#poked = false;
      this.#claimIfFree();
    });
  }

  /** The safety net, and the pool's clock: deadlines, children, the moment a scheduled job falls due. */
  tick(): void {
    const now = this.#options.clock.monotonic();
    this.#options.runner.tick();
    for (const busy of this.#busy.values()) if (now >= busy.deadlineAt) this.#timeOut(busy);
    for (const each of this.#abandoned.values()) if (now >= each.listedUntil) this.#abandoned.delete(each.slot);
    if (this.stuck) this.#options.events.stuck(this.name);
  }

  /** When the next scheduled job may run, as the store last said. */
  get nextAt(): number | undefined {
    return this.#nextAt;
  }

  get busyCount(): number {
    return this.#busy.size;
  }

  /** Claims or polls have failed for this long. */
  get silentMs(): number {
    return this.#options.clock.monotonic() - this.#lastClaimAt;
  }

  get broken(): string | undefined {
    return this.#options.runner.broken;
  }

  get stuck(): boolean {
    const { size, clock } = this.#options;
    if (this.#abandoned.size < size) return false;
    const now = clock.monotonic();
    return [...this.#abandoned.values()].filter((each) => now >= each.hangsFrom).length >= size;
  }

  #claimIfFree(): void {
    const { clock, runner } = this.#options;
    if (this.#stopping || this.#claims >= MOST_CLAIMS_UNDER_WAY || this.#free.length === 0) return;
    if (runner.broken || clock.monotonic() < this.#pausedUntil) return;
    const slots = this.#free.splice(0);
    this.#claims++;
    this.#track(this.#claim(slots));
  }

  async #claim(slots: number[]): Promise<void> {
    const { kind, stage, store, log, quarantine, timeoutMs, pace, runner, clock } = this.#options;
    const inline = stage.work.in === "here";
    const suspects = inline ? (quarantine.taken ? 0 : 1) : slots.length;
    if (inline && suspects > 0) quarantine.taken = true;
    let jobs: ClaimedJob[] = [];
    let more = false;
    try {
      const request = { kind: kind.name, stage: stage.name, slots, suspects, timeoutMs };
      const claimed = await store.claim({
        ...request,
        ...(pace && { pace }),
        ...(stage.retryTimeouts === false && { retryTimeouts: false }),
      });
      jobs = claimed.jobs;
      more = jobs.length === slots.length;
      this.#nextAt = claimed.nextAt;
      this.#lastClaimAt = clock.monotonic();
      this.#pauseMs = 0;
    } catch (error) {
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(100, this.#pauseMs * 2));
      this.#pausedUntil = clock.monotonic() + this.#pauseMs;
      if (!this.#stopping) log.error("claim failed", { pool: this.name, error: messageOf(error), pauseMs: this.#pauseMs });
    }
    this.#claims--;
    const holdsSuspect = inline && suspects > 0 && jobs.some((job) => job.crashes > 0);
    if (inline && suspects > 0 && !holdsSuspect) quarantine.taken = false;
    for (const slot of slots.slice(jobs.length)) this.#free.push(slot);
    if (jobs.length > 0) this.#options.events.claimed?.(kind.name, stage.name, jobs);
    this.#claimed += jobs.length;
    for (const job of jobs) this.#start(job, runner);
    if (more) this.poke();
  }

  #start(job: ClaimedJob, runner: Runner): void {
    const { clock, log } = this.#options;
    const { slot, jobId } = job.lease;
    if (log.infoEnabled) log.info("claimed", { ...this.#about(job), attempt: job.attempt });
    const running = runner.start(slot, job);
    const timeoutMs = job.timeoutMs ?? this.#options.timeoutMs;
    const startedAt = clock.monotonic();
    const busy: Busy = {
      slot,
      job,
      startedAt,
      timeoutMs,
      deadlineAt: startedAt + timeoutMs,
      settled: false,
      lose: running.lose.bind(running),
      kill: running.kill.bind(running),
    };
    this.#busy.set(slot, busy);
    this.#track(running.outcome.then((outcome) => this.#ended(busy, running, outcome, jobId)));
  }

  #ended(busy: Busy, running: Running, outcome: Outcome | "lost", jobId: string): void {
    if (this.#abandoned.delete(busy.slot)) {
      this.#options.log.info("abandoned processor returned", { pool: this.name, slot: busy.slot, jobId });
    }
    if (busy.settled) return;
    const note = running.takeNote();
    if (outcome !== "lost") this.#settle(busy, outcome, note);
    this.#release(busy);
  }

  #settle(busy: Busy, outcome: Outcome, note?: ReturnType<Running["takeNote"]>): void {
    const { store, log, kind, stage, events, clock } = this.#options;
    busy.settled = true;
    const { lease } = busy.job;
    if (note) store.note(lease, note).catch(() => {});
    const runMs = clock.monotonic() - busy.startedAt;
    const settling = settleOutcome(store, lease, outcome, log).then(
      (settled) => {
        const waitMs = Math.max(0, busy.job.claimedAt - busy.job.runAt);
        events.settled({ kind: kind.name, stage: stage.name, job: busy.job, outcome, settled, waitMs, runMs });
      },
      (error) => log.error("settle failed", { ...this.#about(busy.job), error: messageOf(error) }),
    );
    this.#settling.add(settling);
    void settling.finally(() => this.#settling.delete(settling));
  }

  #track(work: Promise<unknown>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  /** Nothing is claimed, running or being settled any more. */
  async quiet(): Promise<void> {
    while (this.#poked || this.#underWay.size + this.#settling.size > 0) {
      await Promise.allSettled([...this.#underWay, ...this.#settling]);
    }
  }

  /** How many jobs it has claimed since it was made. */
  get claimed(): number {
    return this.#claimed;
  }

  /** The slot is free, and so is the quarantine if it held a suspect. */
  #release(busy: Busy): void {
    this.#busy.delete(busy.slot);
    if (busy.job.crashes > 0 && this.#options.stage.work.in === "here") this.#options.quarantine.taken = false;
    this.#free.push(busy.slot);
    this.poke();
  }

  #timeOut(busy: Busy): void {
    const { stage, clock, log } = this.#options;
    if (busy.settled) return;
    const message = `Timed out after ${busy.timeoutMs} ms.`;
    const permanent = stage.retryTimeouts === false;
    log.warn("processor stuck", { ...this.#about(busy.job), slot: busy.slot, timeoutMs: busy.timeoutMs });
    this.#settle(busy, { type: "failed", failure: { code: "timed-out", message, permanent } });
    busy.kill();
    if (stage.work.in === "process") return this.#release(busy);
    const now = clock.monotonic();
    this.#abandoned.set(busy.slot, {
      slot: busy.slot,
      jobId: busy.job.lease.jobId,
      reason: `${message} Its code has not returned.`,
      since: clock.now(),
      hangsFrom: now,
      listedUntil: now + LISTED_AFTER_ERROR_MS,
    });
    this.#busy.delete(busy.slot);
    if (busy.job.crashes > 0) this.#options.quarantine.taken = false;
    this.#free.push(this.#nextSlot++);
    if (this.stuck) this.#options.events.stuck(this.name);
    this.poke();
  }

  /** The store says these leases are gone. */
  lose(jobId: string, token: number, reason: LossReason): boolean {
    for (const busy of this.#busy.values()) {
      if (busy.job.lease.jobId !== jobId || busy.job.lease.token !== token || busy.settled) continue;
      busy.settled = true;
      busy.lose(reason);
      this.#options.log.warn("lease lost", { ...this.#about(busy.job), reason });
      this.#abandonUntilReturn(busy, reason);
      return true;
    }
    return false;
  }

  /** Its code may still run, but its work no longer counts: another processor takes its place at once. */
  #abandonUntilReturn(busy: Busy, reason: LossReason): void {
    const { clock, stage } = this.#options;
    if (stage.work.in === "process") return this.#release(busy);
    this.#busy.delete(busy.slot);
    if (busy.job.crashes > 0) this.#options.quarantine.taken = false;
    this.#abandoned.set(busy.slot, {
      slot: busy.slot,
      jobId: busy.job.lease.jobId,
      reason: `Its lease ended (${reason}) and its code has not returned.`,
      since: clock.now(),
      hangsFrom: busy.deadlineAt,
      listedUntil: clock.monotonic() + LISTED_AFTER_ERROR_MS,
    });
    this.#free.push(this.#nextSlot++);
    this.poke();
  }

  /** Stops claiming, lets running work finish within the grace, hands the rest back without burning an attempt. */
  async stop({ graceMs, hurry }: { graceMs: number; hurry?: AbortSignal }): Promise<void> {
    this.#stopping = true;
    if (this.#claims + this.#busy.size > 0) await firstOf(this.quiet(), graceMs, hurry);
    for (const busy of this.#busy.values()) {
      if (!busy.settled) this.#settle(busy, { type: "released" });
      busy.lose("shutting-down");
    }
    await this.#options.runner.stop();
    await Promise.allSettled(this.#settling);
  }

  processors(): ProcessorView[] {
    const { clock, runner, size } = this.#options;
    const wall = clock.now() - clock.monotonic();
    const iso = (monotonic: number) => new Date(wall + monotonic).toISOString();
    const views: ProcessorView[] = [...this.#busy.values()].map((busy) => ({
      slot: busy.slot,
      state: "busy",
      jobId: busy.job.lease.jobId,
      tenant: busy.job.tenant,
      since: iso(busy.startedAt),
      deadline: iso(busy.deadlineAt),
    }));
    const idle = Math.max(0, size - this.#busy.size);
    for (let i = 0; i < idle; i++) {
      const slot = this.#free[i] ?? -1;
      if (runner.broken) views.push({ slot, state: "error", reason: runner.broken, since: iso(clock.monotonic()) });
      else views.push({ slot, state: "idle" });
    }
    for (const each of this.#abandoned.values()) {
      const { slot, reason, jobId, since } = each;
      views.push({ slot, state: "error", reason, jobId, since: new Date(since).toISOString() });
    }
    return views;
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

/** When the work is done, the time is up or somebody hurries, whichever comes first. */
async function firstOf(work: Promise<void>, ms: number, hurry?: AbortSignal): Promise<void> {
  let finish = () => {};
  const enough = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const timer = setTimeout(finish, ms);
  hurry?.addEventListener("abort", finish, { once: true });
  if (hurry?.aborted) finish();
  await Promise.race([work, enough]);
  clearTimeout(timer);
  hurry?.removeEventListener("abort", finish);
}
