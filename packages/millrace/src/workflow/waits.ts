// The waits of one attempt. Each is looked up by its name: an answer that is stored is given at once, and a wait without one
// leaves its caller behind until the attempt is suspended.

import { ChildFailed } from "../job/children.ts";
import type { WriteAnswer } from "../job/lease.ts";
import { isLateCall, type NewWait, type StoredType, type StoredWait } from "../job/wait.ts";
import { WaitClosed } from "./wait-closed.ts";
import { waitKey } from "./wait-key.ts";
import { WaitNames } from "./wait-names.ts";

/** What the waits of an attempt ask of the store, its lease in hand. */
export interface WaitPort {
  /** Ends waits whose time is up, gives queued signals and events to open ones, and reads them all, in one commit. */
  resume(): Promise<StoredWait[] | "lease-lost">;
  /** Sets the signal aside that answered this wait, since its value does not fit. The wait goes on, or takes the next signal. */
  setAside(name: string, reason: string): Promise<StoredWait | "lease-lost">;
  /** Stores the winner of a race and closes the other waits, in one commit. */
  decideRace(race: RaceDecision): Promise<WriteAnswer>;
}

export interface RaceDecision {
  name: string;
  /** `{ winner, value }` as JSON. */
  value: string;
  closes: { type: StoredType; name: string }[];
}

/** Where the calls of an attempt are counted: it is suspended when all that are open wait. */
export interface OpenCalls {
  track<T>(name: string, work: Promise<T>, options?: { mustFinish?: boolean }): Promise<T>;
  wait<T>(wait: NewWait): Promise<T>;
  stopWaiting(keys: Iterable<string>): void;
  /** The attempt is not suspended before it has come to these calls. */
  mustReach(calls: readonly string[]): void;
}

/** A wait that the processor has started: what a race needs to know of it. */
export interface WaitCall {
  readonly wait: NewWait;
  /** The answer, or undefined while there is none. */
  readonly answered: Promise<WaitResult | undefined>;
}

/** What a wait gave its caller, and when: a value, or the failure of a child. */
export type WaitResult<T = unknown> = { at: number } & ({ value: T } | { error: ChildFailed });

export class Waits {
  readonly #port: WaitPort;
  readonly #open: OpenCalls;
  readonly #hasStored: boolean;
  readonly #held: <T>(answer: T) => Exclude<T, "lease-lost">;
  readonly #names = new WaitNames();
  readonly #unanswered = new Set<string>();
  readonly #calls = new WeakMap<Promise<unknown>, WaitCall>();
  #stored: Promise<Map<string, StoredWait>> | undefined;
  #fresh: NewWait[] = [];

  constructor(
    port: WaitPort,
    open: OpenCalls,
    options: { hasStored: boolean; held: <T>(answer: T) => Exclude<T, "lease-lost"> },
  ) {
    this.#port = port;
    this.#open = open;
    this.#hasStored = options.hasStored;
    this.#held = options.held;
  }

  /** Starts that no commit has stored yet. They travel with the attempt's next one. */
  drainFresh(): NewWait[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /**
   * `make` completes the wait once its name is known; `read` makes the caller's value of what is stored. `begin` stores the wait
   * at the call; otherwise its start travels with the attempt's next commit.
   */
  start<T>(
    call: string,
    named: { type: NewWait["type"]; name: string },
    make: (name: string) => NewWait,
    read: (stored: StoredWait) => T | Promise<T>,
    begin?: (name: string) => Promise<StoredWait>,
  ): Promise<T> {
    let wait: NewWait;
    try {
      wait = make(this.#name(named.type, named.name, call));
    } catch (error) {
      return Promise.reject(error);
    }
    this.#unanswered.add(waitKey(wait));
    const answered = this.#open.track(call, this.#answer(wait, read, begin), { mustFinish: begin !== undefined });
    const given = answered.then((answer) => {
      if (!answer) return this.#open.wait<T>(wait);
      if ("error" in answer) throw answer.error;
      return answer.value;
    });
    // A wait that lost its race rejects, though the processor may never look at it again.
    given.catch(() => {});
    this.#calls.set(given, { wait, answered });
    return given;
  }

  /** Stores something under a name, once: a later attempt finds it, and `begin` is not called again. */
  async store(
    call: string,
    { type, name }: { type: "submitted"; name: string },
    begin: (name: string) => Promise<StoredWait>,
  ): Promise<StoredWait> {
    const own = this.#name(type, name, call);
    const find = async () => (await this.#load()).get(waitKey({ type, name: own })) ?? begin(own);
    return this.#open.track(call, find(), { mustFinish: true });
  }

  #name(type: StoredType, name: string, call: string): string {
    return this.#names.next(type, name, call, (earlier) => this.#unanswered.has(waitKey({ type, name: earlier })));
  }

  callOf(promise: unknown): WaitCall | undefined {
    return promise instanceof Promise ? this.#calls.get(promise) : undefined;
  }

  nameRace(name: string, call: string): string {
    return this.#name("race", name, call);
  }

  async storedRace(name: string): Promise<string | undefined> {
    const key = waitKey({ type: "race", name });
    this.#unanswered.add(key);
    const stored = (await this.#open.track(`ctx.race("${name}")`, this.#load())).get(key);
    if (stored) this.#unanswered.delete(key);
    return stored?.value;
  }

  async decideRace(race: RaceDecision): Promise<void> {
    this.#held(await this.#open.track(`ctx.race("${race.name}")`, this.#port.decideRace(race)));
    const closed = race.closes.map(waitKey);
    this.#open.stopWaiting(closed);
    for (const key of [...closed, waitKey({ type: "race", name: race.name })]) this.#unanswered.delete(key);
    const isClosed = new Set(closed);
    this.#fresh = this.#fresh.filter((wait) => !isClosed.has(waitKey(wait)));
  }

  async #answer<T>(
    wait: NewWait,
    read: (stored: StoredWait) => T | Promise<T>,
    begin?: (name: string) => Promise<StoredWait>,
  ): Promise<WaitResult<T> | undefined> {
    const key = waitKey(wait);
    let stored = (await this.#load()).get(key) ?? (await begin?.(wait.name));
    while (stored?.state === "answered" || stored?.state === "timed-out") {
      try {
        const value = await read(stored);
        this.#unanswered.delete(key);
        return { at: stored.answeredAt ?? stored.since, value };
      } catch (error) {
        if (!(error instanceof UnfitSignal)) {
          this.#unanswered.delete(key);
          if (error instanceof ChildFailed) return { at: stored.answeredAt ?? stored.since, error };
          throw error;
        }
        stored = this.#held(await this.#port.setAside(wait.name, error.message));
        (await this.#load()).set(key, stored);
      }
    }
    if (stored?.state === "closed") {
      this.#unanswered.delete(key);
      throw new WaitClosed(wait.name);
    }
    if (!stored) this.#fresh.push(wait);
    return undefined;
  }

  /**
   * The waits are read once. While the attempt has the lease, others answer open waits only by waking the job for a
   * later attempt.
   */
  async #load(): Promise<Map<string, StoredWait>> {
    this.#stored ??= this.#hasStored ? this.#resume() : Promise.resolve(new Map());
    return this.#stored;
  }

  async #resume(): Promise<Map<string, StoredWait>> {
    try {
      const stored = this.#held(await this.#port.resume());
      const late = stored.filter(isLateCall).map(({ name }) => name);
      if (late.length > 0) this.#open.mustReach(late);
      return new Map(stored.map((wait) => [waitKey(wait), wait]));
    } catch (error) {
      this.#stored = undefined;
      throw error;
    }
  }
}

/** The value of a signal does not fit the schema of the wait. */
export class UnfitSignal extends Error {}
