import type { Clock } from "./clock.ts";

/** A smaller difference means that the clock was nudged, not set. */
const JUMP_MS = 2_000;
const MOST_JUMPS = 16;

interface Jump {
  /** The wall time right after the jump was noticed. */
  at: number;
  byMs: number;
}

/**
 * Computes ages so that a clock that is set forward makes nothing look older. Only changes during the life of this
 * process are noticed. A machine that slept looks the same, so things are kept longer.
 */
export class Ages {
  readonly #clock: Clock;
  readonly #jumps: Jump[] = [];
  /** Wall minus monotonic time: it changes only when the clock is set. */
  #drift: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#drift = clock.now() - clock.monotonic();
  }

  /** The latest moment that is at least this long ago, by the wall clock and by the monotonic one. */
  before(ageMs: number): number {
    this.notice();
    let moment = this.#clock.now() - ageMs;
    for (const { at, byMs } of this.#jumps) {
      if (moment >= at) break;
      // The moment lies before the clock was set, when moments were written by the old clock.
      moment -= byMs;
    }
    return moment;
  }

  /** Notices changes of the clock. Call it often enough that the clock is not set twice in between. */
  notice(): void {
    const now = this.#clock.now();
    const drift = now - this.#clock.monotonic();
    const byMs = drift - this.#drift;
    this.#drift = drift;
    if (byMs >= JUMP_MS) {
      this.#jumps.unshift({ at: now, byMs });
      this.#jumps.splice(MOST_JUMPS);
    } else if (byMs <= -JUMP_MS) this.#undo(-byMs);
  }

  /** The clock was set back, most often to where it was. Nothing more is needed: what looks younger is kept longer. */
  #undo(byMs: number): void {
    for (let left = byMs; left > 0 && this.#jumps[0]; ) {
      const undone = Math.min(left, this.#jumps[0].byMs);
      this.#jumps[0].byMs -= undone;
      left -= undone;
      if (this.#jumps[0].byMs < JUMP_MS) this.#jumps.shift();
    }
  }
}
