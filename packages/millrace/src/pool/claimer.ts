// CLAIM: takes jobs for the free slots of one pool. One claim at a time for a small pool; a large one claims in parts, so that the
// store works on one while the processors work on another. A store that fails is asked again after growing pauses, and for less:
// what it could not give in time may have been too much, a thousand jobs of a megabyte.

import { isSuspect } from "../job/crash.ts";
import type { ClaimedJob } from "../job/lease.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Claimed, ClaimRequest } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { SuspectGroup } from "./suspect-group.ts";

const MOST_CLAIMS_UNDER_WAY = 4;
/** What a store that fails is still asked for at once. */
const SMALLEST_PART = 25;
/** Word of work that came while a claim was under way may be of a job that this claim had already missed. */
const AGAIN_MS = 10;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Which suspects a claim may take. */
export type SuspectAsk = Pick<ClaimRequest, "suspects" | "group" | "suspectsFirst">;

export interface ClaimerOptions {
  pool: string;
  slots: number[];
  /** The pool's code runs in this process: a suspect may take it down, so suspects come in groups. */
  inline: boolean;
  /** How many it asks for at once, where the store can give so many. */
  atOnce: number;
  suspects: SuspectGroup;
  maxCrashes: number;
  clock: Clock;
  log: Log;
  mayClaim(): boolean;
  ask(slots: number[], room: SuspectAsk): Promise<Claimed>;
  claimed(jobs: ClaimedJob[]): void;
  /** It may be at rest now. */
  rested(): void;
}

export class Claimer {
  readonly #options: ClaimerOptions;
  readonly #free: number[];
  readonly #poke = (): void => this.poke();
  /** How many it asks for at once for now. */
  #part: number;
  #claimed = 0;
  #underWay = 0;
  #poked = false;
  #pokedMeanwhile = false;
  #again: NodeJS.Timeout | undefined;
  #stopped = false;
  #suspectsWait = false;
  /** Suspects and others take turns at the odd processor. */
  #suspectsFirst = true;
  #pauseMs = 0;
  #pausedUntil = 0;
  #nextAt: number | undefined;
  #lastAt: number;

  constructor(options: ClaimerOptions) {
    this.#options = options;
    this.#free = [...options.slots];
    this.#part = options.atOnce;
    this.#lastAt = options.clock.monotonic();
  }

  /** There may be work. Cheap: any number of calls in one turn of the loop make one claim. */
  poke(): void {
    if (this.#poked || this.#stopped) return;
    this.#poked = true;
    queueMicrotask(() => {
      this.#poked = false;
      this.#claimIfFree();
      this.#options.rested();
    });
  }

  /** A further slot, for when the others are taken. */
  add(slot: number): void {
    this.#free.push(slot);
    this.poke();
  }

  /** A slot has nothing to do any more. Where it has a child it is the next to be used: that one is warm, and others may retire. */
  free(slot: number): void {
    if (this.#options.inline) this.#free.push(slot);
    else this.#free.unshift(slot);
    if (this.#free.length >= this.#part) this.#claimIfFree();
    else this.poke();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#again);
  }

  #claimIfFree(): void {
    const { clock, mayClaim, atOnce } = this.#options;
    if (this.#stopped || !mayClaim() || clock.monotonic() < this.#pausedUntil) return;
    if (this.#underWay > 0) this.#pokedMeanwhile = true;
    while (this.#free.length > 0 && this.#underWay < MOST_CLAIMS_UNDER_WAY) {
      // A second one beside it only where there is a whole part to ask for, and the store is up to it.
      if (this.#underWay > 0 && (this.#part < atOnce || this.#free.length < atOnce)) return;
      this.#underWay++;
      void this.#claim(this.#free.splice(0, this.#part));
    }
  }

  async #claim(slots: number[]): Promise<void> {
    const { jobs } = this.#options.inline
      ? await this.#claimInline(slots)
      : await this.#ask(slots, { suspects: slots.length });
    this.#underWay--;
    this.#claimed += jobs.length;
    for (const slot of slots.slice(jobs.length)) this.#free.push(slot);
    if (jobs.length > 0) this.#options.claimed(jobs);
    // Where less is asked for than is free, there may be more.
    if (jobs.length === slots.length || (jobs.length > 0 && this.#part < this.#options.atOnce)) this.poke();
    else if (this.#pokedMeanwhile) this.#pokeSoon();
    this.#pokedMeanwhile = false;
    this.#options.rested();
  }

  /** Suspects are asked for only when the store has said that some wait: nearly always none do. */
  async #claimInline(slots: number[]): Promise<Claimed> {
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
    if (this.#stopped) return;
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      this.poke();
    }, AGAIN_MS);
  }

  async #ask(slots: number[], room: SuspectAsk): Promise<Claimed> {
    const { pool, clock, log, atOnce } = this.#options;
    try {
      const claimed = await this.#options.ask(slots, room);
      const { jobs, nextAt, suspectsWait = false } = claimed;
      this.#nextAt = nextAt;
      if (suspectsWait && !this.#suspectsWait) this.poke();
      this.#suspectsWait = suspectsWait;
      this.#lastAt = clock.monotonic();
      this.#pauseMs = 0;
      if (slots.length >= this.#part && jobs.length * 2 > slots.length)
        this.#part = Math.min(atOnce, Math.ceil(this.#part * 1.25));
      return claimed;
    } catch (error) {
      if (slots.length > SMALLEST_PART) this.#part = Math.max(SMALLEST_PART, Math.ceil(slots.length / 2));
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, this.#pauseMs * 2));
      this.#pausedUntil = clock.monotonic() + this.#pauseMs;
      if (!this.#stopped) log.error("claim failed", { pool, error: messageOf(error), pauseMs: this.#pauseMs });
      return { jobs: [] };
    }
  }

  /** Nothing is being claimed, nor about to be. */
  get resting(): boolean {
    return !this.#poked && this.#underWay === 0;
  }

  /** Those that are free, the next to be used first. */
  get slots(): readonly number[] {
    return this.#free;
  }

  /** When the next scheduled job may run, as the store last said. */
  get nextAt(): number | undefined {
    return this.#nextAt;
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
