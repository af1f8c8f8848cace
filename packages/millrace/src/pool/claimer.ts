// CLAIM: takes jobs for the free slots of one pool, and yields them in batches.
//
// A small pool has one claim under way at a time. A large pool claims in parts, so that the store works on one part while the
// processors work on another. A store that fails is asked again after growing pauses, and for fewer jobs: a thousand jobs of a
// megabyte may have been too much for its time limit.

import { isSuspect } from "../job/crash.ts";
import type { ClaimedJob } from "../job/lease.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { GrowingPause } from "../lib/growing-pause.ts";
import type { Store } from "../store/store.ts";
import type { ClaimAnswer, ClaimRequest } from "../store/verbs/attempts.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { Activity } from "./activity.ts";
import type { SuspectGroup } from "./suspect-group.ts";

const MAX_CLAIMS_UNDER_WAY = 4;
/** A failing store is never asked for less than this. */
const SMALLEST_PART = 25;
/**
 * A claim under way may have missed the job that a wake-up was about, so the pool asks once more: at once, but only once in this
 * time. A signal to a job that has just been suspended would otherwise wait for it.
 */
const AGAIN_MS = 10;
const PAUSES = { firstMs: 100, longestMs: 5_000 };

/** Which suspects a claim may take. */
export type SuspectAsk = Pick<ClaimRequest, "suspects" | "group" | "suspectsFirst">;

export interface ClaimerOptions {
  store: Pick<Store, "claim">;
  /** The name of the pool, for the log. */
  pool: string;
  /** What a claim of this pool asks for. Its time limit grows while child processes start slowly. */
  request(): Omit<ClaimRequest, "slots" | keyof SuspectAsk>;
  /** The number of slots to begin with. */
  size: number;
  /**
   * Whether the pool's code runs in this process. A suspect may then take the process down, so suspects come in groups.
   */
  inline: boolean;
  /** The number of jobs to ask for at once, if the store is well. */
  atOnce: number;
  suspects: SuspectGroup;
  maxCrashes: number;
  clock: Clock;
  log: Log;
  activity: Activity;
  mayClaim(): boolean;
}

export class Claimer {
  readonly #options: ClaimerOptions;
  readonly #free: number[];
  readonly #batches: Batches;
  readonly #pause: GrowingPause;
  readonly #poke = (): void => this.poke();
  /** The number of jobs to ask for at once for now. */
  #part: number;
  #claimed = 0;
  #underWay = 0;
  #poked = false;
  #pokedMeanwhile = false;
  #again: NodeJS.Timeout | undefined;
  #askedAgainAt = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #suspectsWait = false;
  /** Suspects and other jobs take turns when there is only one free slot. */
  #suspectsFirst = true;
  #nextAt: number | undefined;
  #lastAt: number;

  constructor(options: ClaimerOptions) {
    this.#options = options;
    this.#free = Array.from({ length: options.size }, (_, slot) => slot);
    this.#part = options.atOnce;
    this.#lastAt = options.clock.monotonic();
    this.#pause = new GrowingPause(PAUSES, options.clock);
    this.#batches = new Batches(options.activity);
  }

  /** The claimed jobs, until the claimer is stopped and its last claim has been answered. */
  jobs(): AsyncGenerator<ClaimedJob[], void> {
    return this.#batches.read();
  }

  /** Looks for work. This is cheap: any number of calls in one turn of the event loop make one claim. */
  poke(): void {
    if (this.#poked || this.#stopped) return;
    const { activity } = this.#options;
    this.#poked = true;
    activity.begin();
    queueMicrotask(() => {
      this.#poked = false;
      this.#claimIfFree();
      activity.end();
    });
  }

  /** Adds a slot, because a slow attempt keeps another one. */
  add(slot: number): void {
    this.#free.push(slot);
    this.poke();
  }

  /** Gives a slot back. If it has a child process it is used next: that child is warm, and the others may end. */
  free(slot: number): void {
    if (this.#options.inline) this.#free.push(slot);
    else this.#free.unshift(slot);
    if (this.#free.length >= this.#part) this.#claimIfFree();
    else this.poke();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#again);
    this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    if (this.#stopped && this.#underWay === 0) this.#batches.close();
  }

  #claimIfFree(): void {
    const { mayClaim, atOnce, activity } = this.#options;
    if (this.#stopped || !mayClaim() || !this.#pause.isOver) return;
    if (this.#underWay > 0) this.#pokedMeanwhile = true;
    while (this.#free.length > 0 && this.#underWay < MAX_CLAIMS_UNDER_WAY) {
      // A second claim beside the first needs a whole part to ask for, and a store that is well.
      if (this.#underWay > 0 && (this.#part < atOnce || this.#free.length < atOnce)) return;
      this.#underWay++;
      activity.begin();
      void this.#claim(this.#free.splice(0, this.#part));
    }
  }

  async #claim(slots: number[]): Promise<void> {
    const { inline, atOnce, activity } = this.#options;
    const { jobs } = inline ? await this.#claimInline(slots) : await this.#ask(slots, { suspects: slots.length });
    this.#underWay--;
    this.#claimed += jobs.length;
    for (const slot of slots.slice(jobs.length)) this.#free.push(slot);
    if (jobs.length > 0) this.#batches.add(jobs);
    // There may be more if the claim asked for less than was free.
    if (jobs.length === slots.length || (jobs.length > 0 && this.#part < atOnce)) this.poke();
    else if (this.#pokedMeanwhile) this.#pokeSoon();
    this.#pokedMeanwhile = false;
    this.#closeWhenDone();
    activity.end();
  }

  /** Asks for suspects only after the store has said that some wait, which is rare. */
  async #claimInline(slots: number[]): Promise<ClaimAnswer> {
    const { suspects, maxCrashes } = this.#options;
    const room = this.#suspectsWait ? suspects.reserve(slots.length, this.#poke) : undefined;
    if (!room) return this.#ask(slots, { suspects: 0 });
    const claimed = await this.#ask(slots, { ...room, suspectsFirst: this.#suspectsFirst });
    const isNews = suspects.admit(claimed.jobs.filter(isSuspect), { maxCrashes }, claimed.lastDeathAt);
    if (isNews) this.poke();
    else if (claimed.suspectsWait) suspects.whenFree(this.#poke);
    this.#suspectsFirst = !this.#suspectsFirst;
    return claimed;
  }

  #pokeSoon(): void {
    if (this.#stopped || this.#again) return;
    const waitMs = this.#askedAgainAt + AGAIN_MS - this.#options.clock.monotonic();
    if (waitMs <= 0) return this.#askAgain();
    this.#again = setTimeout(() => this.#askAgain(), waitMs);
  }

  #askAgain(): void {
    this.#again = undefined;
    this.#askedAgainAt = this.#options.clock.monotonic();
    this.poke();
  }

  async #ask(slots: number[], room: SuspectAsk): Promise<ClaimAnswer> {
    const { store, pool, clock, log, atOnce } = this.#options;
    try {
      const claimed = await store.claim({ ...this.#options.request(), slots, ...room });
      const { jobs, nextAt, suspectsWait = false } = claimed;
      this.#nextAt = nextAt;
      if (suspectsWait && !this.#suspectsWait) this.poke();
      this.#suspectsWait = suspectsWait;
      this.#lastAt = clock.monotonic();
      this.#pause.reset();
      if (slots.length >= this.#part && jobs.length * 2 > slots.length)
        this.#part = Math.min(atOnce, Math.ceil(this.#part * 1.25));
      return claimed;
    } catch (error) {
      if (slots.length > SMALLEST_PART) this.#part = Math.max(SMALLEST_PART, Math.ceil(slots.length / 2));
      const pauseMs = this.#pause.begin();
      if (!this.#stopped) log.error("claim failed", { pool, error: messageOf(error), pauseMs });
      return { jobs: [] };
    }
  }

  /** The free slots, the next to be used first. */
  get slots(): readonly number[] {
    return this.#free;
  }

  /** When the next scheduled job may run, as the store last said. */
  get nextAt(): number | undefined {
    return this.#nextAt;
  }

  /** Forgets the moment, because it has come. A claim that is asked from now on says what comes next. */
  forgetNextAt(): void {
    this.#nextAt = undefined;
  }

  /** How many jobs it has claimed since it was made. */
  get claimed(): number {
    return this.#claimed;
  }

  /** How long ago it last managed to claim or poll, while it had reason to. */
  get silentMs(): number {
    return this.#underWay > 0 || this.#free.length > 0 ? this.#options.clock.monotonic() - this.#lastAt : 0;
  }
}

/** Batches of claimed jobs on their way from the claimer to its pool. A batch counts as activity until the pool has it. */
class Batches {
  readonly #activity: Activity;
  readonly #waiting: ClaimedJob[][] = [];
  #isClosed = false;
  #wake = () => {};

  constructor(activity: Activity) {
    this.#activity = activity;
  }

  add(jobs: ClaimedJob[]): void {
    this.#activity.begin();
    this.#waiting.push(jobs);
    this.#wake();
  }

  /** Closes the queue. The reader ends when it has read the batches that are left. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<ClaimedJob[], void> {
    for (;;) {
      const jobs = this.#waiting.shift();
      if (jobs) {
        yield jobs;
        this.#activity.end();
      } else if (this.#isClosed) return;
      else await this.#next();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
