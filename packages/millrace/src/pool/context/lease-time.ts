import type { Clock } from "../../lib/clock.ts";

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
    const { wall, monotonic } = momentOf(this.#clock);
    return Math.max(wall - this.#asked.wall, monotonic - this.#asked.monotonic) >= this.#forMs;
  }
}

export interface ClockReading {
  wall: number;
  monotonic: number;
}

export function momentOf(clock: Clock): ClockReading {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}
