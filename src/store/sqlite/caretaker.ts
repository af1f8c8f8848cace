import { messageOf } from "../../lib/app-error.ts";
import type { StoreEvents } from "../store.ts";
import type { Core } from "./core.ts";
import { classify, toAppError } from "./errors.ts";
import { beat, beatIsDue, findLost } from "./revoke.ts";
import { releaseFreePages } from "./upkeep.ts";
import { commitsOfOthers, WalWatch } from "./wake.ts";

/**
 * What the store does unasked, on its own thread and timer: renews this process's leases and takes back those of the
 * dead, keeps the deadlines a blocked main loop would miss, notices lost leases and the commits of other processes.
 */
export class Caretaker {
  readonly #core: Core;
  readonly #events: StoreEvents;
  readonly #othersCommitted: () => boolean;
  readonly #watch: WalWatch | undefined;
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;

  constructor(core: Core, events: StoreEvents) {
    this.#core = core;
    this.#events = events;
    this.#othersCommitted = commitsOfOthers(core.db);
    const { path, leaseMs } = core.options;
    if (path !== ":memory:") this.#watch = new WalWatch(path, this.#othersCommitted, () => this.#wake());
    this.#timer = setInterval(() => this.#tick(), Math.min(1_000, leaseMs / 5));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#watch?.stop();
  }

  #wake(): void {
    // The commit may have given a kind other stages or another plan.
    this.#core.names.forgetStages();
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
