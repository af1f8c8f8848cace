import type { Clock } from "../../lib/clock.ts";

/**
 * A cancellation reaches the process that runs the job within about this time, also when its notification is lost. So a step that
 * begins on an answer of this age begins no later after a cancellation than one that was under way.
 */
const FRESH_MS = 1_000;

/**
 * How long a lease surely holds, from the moment the store was asked. A process can be stopped, or its machine can sleep, at any
 * moment: the monotonic clock then stands still on some systems, and wall time can be set back. The one that moved further counts.
 */
export class LeaseTime {
  readonly #clock: Clock;
  readonly #forMs: number;
  readonly #asked: ClockReading;

  constructor(clock: Clock, asked: ClockReading, forMs: number) {
    this.#clock = clock;
    this.#asked = asked;
    this.#forMs = forMs;
  }

  get isOver(): boolean {
    return this.#ageMs >= this.#forMs;
  }

  /** Whether it holds, and the store said so only just now: then the job was not cancelled long ago either. */
  get isFresh(): boolean {
    return this.#ageMs < Math.min(this.#forMs, FRESH_MS);
  }

  get #ageMs(): number {
    const { wall, monotonic } = momentOf(this.#clock);
    return Math.max(wall - this.#asked.wall, monotonic - this.#asked.monotonic);
  }
}

export interface ClockReading {
  wall: number;
  monotonic: number;
}

export function momentOf(clock: Clock): ClockReading {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}
