// Time is passed in, so that tests can move it. An offset in shared memory reaches the store thread as well as the main one.

/** A timer set further ahead fires at once, on both runtimes. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** The time, as the engine reads it. */
export interface Clock {
  /** The wall time, in milliseconds since 1970. */
  now(): number;
  /** Milliseconds since a fixed point. Changes of the wall clock do not move it. */
  monotonic(): number;
}

/** Offsets in milliseconds added to the machine's clocks: [0] wall time, [1] both clocks. Tests write to it. */
export type ClockOffsets = Float64Array;

export function systemClock(offsets?: ClockOffsets): Clock {
  if (!offsets) return { now: Date.now, monotonic: () => performance.now() };
  return {
    now: () => Date.now() + read(offsets, 0) + read(offsets, 1),
    monotonic: () => performance.now() + read(offsets, 1),
  };
}

export function sharedOffsets(): ClockOffsets {
  return new Float64Array(new SharedArrayBuffer(16));
}

function read(offsets: ClockOffsets, index: number): number {
  return offsets[index] ?? 0;
}

/** A clock that stands still until it is moved. The test kit uses one. */
export class ManualClock implements Clock {
  #now: number;
  #monotonic = 0;

  constructor(startAt: number | Date = 1_700_000_000_000) {
    this.#now = Number(startAt);
  }

  /** The wall time, in milliseconds since 1970. */
  now = (): number => this.#now;
  /** The milliseconds that the clock was advanced since it was made. */
  monotonic = (): number => this.#monotonic;

  /** Moves the clock forward, in milliseconds. */
  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
  }

  /** Moves the wall time alone, in milliseconds, as an operator or a time server does. */
  jump(ms: number): void {
    this.#now += ms;
  }
}
