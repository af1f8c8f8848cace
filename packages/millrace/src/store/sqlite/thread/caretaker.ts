import { messageOf } from "../../../lib/app-error.ts";
import type { StoreEvents } from "../../store.ts";
import { ConditionWatch } from "../connection/conditions.ts";
import { classify, toAppError } from "../connection/errors.ts";
import { findLost } from "../control/lost-leases.ts";
import { beat, beatIsDue } from "../control/revoke.ts";
import type { Core } from "../core.ts";
import { releaseFreePages } from "../upkeep/upkeep.ts";
import { commitsOfOthers, WalWatch } from "./wake.ts";

/** A process that writes all the time has no watch. It looks for the commits of others between its own, this often. */
const LOOK_MS = 4;
/** After this many looks, the process decides whether it still writes all the time. */
const LOOKS = 12;
/** 100 a second: a process that writes less may wait for others, and its own writes cost the watch little. */
const MANY_COMMITS = 5;

/**
 * The work that the store does by itself, on its own thread and timer. It renews the lease of this process, takes back
 * the leases of dead processes, enforces deadlines that a blocked main loop would miss, and notices lost leases and the
 * commits of other processes.
 */
export class Caretaker {
  readonly #core: Core;
  readonly #events: StoreEvents;
  readonly #othersCommitted: () => boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #conditions: ConditionWatch;
  #watch: WalWatch | undefined;
  #burst: { commits: number; looks: number; timer: NodeJS.Timeout } | undefined;
  #commits = 0;
  #ticks = 0;
  #namesAreOld = false;

  constructor(core: Core, events: StoreEvents) {
    this.#core = core;
    this.#events = events;
    this.#othersCommitted = commitsOfOthers(core.db);
    this.#timer = setInterval(() => this.#tick(), Math.min(1_000, core.options.leaseMs / 5));
    this.#conditions = new ConditionWatch(core, events);
    this.#startWatch();
  }

  /**
   * Called after writes of this process. A process that writes all the time notices the commits of others here: a watch
   * would mostly tell it of its own commits, for 2 µs a job. Once it rests, the watch takes over.
   */
  worked(): void {
    if (this.#core.commits === this.#commits) return;
    this.#commits = this.#core.commits;
    if (this.#othersCommitted()) this.#wake();
    this.#burst ??= { commits: this.#commits, looks: 0, timer: setInterval(() => this.#lookInBurst(), LOOK_MS) };
  }

  #lookInBurst(): void {
    const burst = this.#burst;
    if (!burst) return;
    // With a watch there is nothing to look for.
    if (!this.#watch && this.#othersCommitted()) this.#wake();
    if (++burst.looks < LOOKS) return;
    const written = this.#core.commits - burst.commits;
    burst.commits = this.#core.commits;
    burst.looks = 0;
    if (written >= MANY_COMMITS) return this.#stopWatch();
    clearInterval(burst.timer);
    this.#burst = undefined;
    this.#startWatch();
    if (this.#othersCommitted()) this.#wake();
  }

  #startWatch(): void {
    const { path } = this.#core.options;
    if (path !== ":memory:") this.#watch ??= new WalWatch(path, this.#othersCommitted, () => this.#wake());
  }

  #stopWatch(): void {
    this.#watch?.stop();
    this.#watch = undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
    clearInterval(this.#burst?.timer);
    this.#conditions.stop();
    this.#stopWatch();
  }

  #wake(): void {
    this.#namesAreOld = true;
    this.#events.wake();
    this.#tellLost();
  }

  #tick(): void {
    if (this.#core.files.look()) return; // Reported as a condition. Every other act would fail, once a second.
    // Every process follows all changes of the clock, because any of them may prune next.
    this.#core.ages.notice();
    try {
      if (this.#othersCommitted()) {
        this.#namesAreOld = true;
        this.#events.wake();
      }
      // Another process may have registered a kind again. Reading all kinds after each of its commits would be
      // expensive.
      if (this.#namesAreOld) this.#core.names.forgetStages();
      this.#namesAreOld = false;
      this.#tellLost();
      if (beatIsDue(this.#core)) this.#core.transact(() => beat(this.#core));
      if (++this.#ticks % 60 === 0) releaseFreePages(this.#core);
    } catch (error) {
      // A busy or full disk passes: the next tick tries again, well within a lease. Anything worse ends the process.
      this.#core.instances.noteDelay();
      if (classify(error) === "fatal") this.#events.fatal(toAppError(error));
      else this.#events.trouble(messageOf(error));
    }
  }

  #tellLost(): void {
    const lost = findLost(this.#core);
    if (lost.length > 0) this.#events.lost(lost);
  }
}
