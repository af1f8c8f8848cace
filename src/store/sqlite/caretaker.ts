import { messageOf } from "../../lib/app-error.ts";
import type { StoreEvents } from "../store.ts";
import type { Core } from "./core.ts";
import { classify, toAppError } from "./errors.ts";
import { beat, beatIsDue, findLost } from "./revoke.ts";
import { releaseFreePages } from "./upkeep.ts";
import { commitsOfOthers, WalWatch } from "./wake.ts";

const QUIET_MS = 50;

/**
 * What the store does unasked, on its own thread and timer: renews this process's leases and takes back those of the
 * dead, keeps the deadlines a blocked main loop would miss, notices lost leases and the commits of other processes.
 */
export class Caretaker {
  readonly #core: Core;
  readonly #events: StoreEvents;
  readonly #othersCommitted: () => boolean;
  readonly #timer: NodeJS.Timeout;
  #watch: WalWatch | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #workedAt = 0;
  #commits = 0;
  #ticks = 0;

  constructor(core: Core, events: StoreEvents) {
    this.#core = core;
    this.#events = events;
    this.#othersCommitted = commitsOfOthers(core.db);
    this.#timer = setInterval(() => this.#tick(), Math.min(1_000, core.options.leaseMs / 5));
    if (core.options.path !== ":memory:") this.#watchTimer = setInterval(() => this.#watchWhileQuiet(), QUIET_MS);
  }

  /**
   * The process may have just written. While it does so all the time it sees the commits of others here, and a watch
   * would only tell it of its own (it cost 2 µs a job); once it rests, the watch takes over.
   */
  worked(): void {
    if (this.#core.commits === this.#commits) return;
    this.#commits = this.#core.commits;
    this.#workedAt = performance.now();
    if (this.#othersCommitted()) this.#wake();
  }

  #watchWhileQuiet(): void {
    const quiet = performance.now() - this.#workedAt > QUIET_MS;
    if (quiet) this.#watch ??= new WalWatch(this.#core.options.path, this.#othersCommitted, () => this.#wake());
    else if (this.#watch) {
      this.#watch.stop();
      this.#watch = undefined;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    clearInterval(this.#watchTimer);
    this.#watch?.stop();
  }

  #wake(): void {
    this.#events.wake();
    this.#tellLost();
  }

  #tick(): void {
    try {
      if (this.#othersCommitted()) {
        this.#core.names.forgetStages();
        this.#events.wake();
      }
      this.#tellLost();
      if (beatIsDue(this.#core)) {
        const { expired } = this.#core.transact(() => beat(this.#core));
        if (expired.length > 0) this.#events.expired(expired);
      }
      if (++this.#ticks % 60 === 0) releaseFreePages(this.#core);
    } catch (error) {
      // A busy or full disk passes: the next tick tries again, well within a lease. Anything worse ends the process.
      if (classify(error) === "fatal") this.#events.fatal(toAppError(error));
      else this.#events.trouble(messageOf(error));
    }
  }

  #tellLost(): void {
    const lost = findLost(this.#core);
    if (lost.length > 0) this.#events.lost(lost);
  }
}
