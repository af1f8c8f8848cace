// Whether this process gets too little of the processors. Its children give way then: a job may take longer, while an answer to a
// client, a lease to renew or a job to settle should not.

import { mainThread, type ThreadTime } from "./proc.ts";

const LOOK_MS = 500;
/** The share of the time between two looks, for the thread that answers requests. */
const STARVED_SHARE = 0.25;
/**
 * The share of a CPU that the process would use if it could. A process with little to do waits now and then on any busy
 * machine.
 */
const BUSY_SHARE = 0.4;
/** With less work than this, it is hardly starved either way. */
const CALM_SHARE = 0.2;
const CALM_LOOKS = 4;

export class Starvation {
  readonly #read: () => ThreadTime | undefined;
  readonly #now: () => number;
  #last: (ThreadTime & { at: number }) | undefined;
  #calmLooks = 0;
  #isStarved = false;

  constructor(
    read: () => ThreadTime | undefined = () => mainThread(process.pid),
    now: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#now = now;
  }

  /**
   * Once starved, it counts as starved until there is little to do. Otherwise it would look well as soon as the
   * children give way.
   */
  get isStarved(): boolean {
    const at = this.#now();
    if (this.#last !== undefined && at - this.#last.at < LOOK_MS) return this.#isStarved;
    const read = this.#read();
    if (read === undefined) return this.#isStarved;
    if (this.#last !== undefined) this.#judge(read, this.#last, at - this.#last.at);
    this.#last = { ...read, at };
    return this.#isStarved;
  }

  #judge({ ranMs, starvedMs }: ThreadTime, last: ThreadTime, tookMs: number): void {
    const starved = (starvedMs - last.starvedMs) / tookMs;
    const wanted = starved + (ranMs - last.ranMs) / tookMs;
    if (starved >= STARVED_SHARE && wanted >= BUSY_SHARE) this.#isStarved = true;
    this.#calmLooks = wanted < CALM_SHARE ? this.#calmLooks + 1 : 0;
    if (this.#calmLooks >= CALM_LOOKS) this.#isStarved = false;
  }
}

/** The starvation of this process, which all its pools share. */
export const starvation = new Starvation();
