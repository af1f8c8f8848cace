// The database's clock rules. Statements take the moment as $1: NULL lets the server say what time it is, a number is a
// test's. In between, the process computes the time from the server's last answer and its own monotonic clock, which
// cannot be set.

import type { Clock, ClockOffsets } from "../../../lib/clock.ts";

/** The moment of a statement, in milliseconds; this value of it must be the clock's `given`. */
export const nowBy = (value: string) =>
  `coalesce(${value}::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)`;

/** It is the first parameter of most statements. */
export const NOW = nowBy("$1");

export class StoreClock implements Clock {
  readonly #manual: Clock | undefined;
  readonly #offsets: ClockOffsets | undefined;
  #base = Date.now() - performance.now();

  /** `offsets`: where the engine's clock in the main thread finds how far the machine's clock is off. */
  constructor(options: { manual?: Clock | undefined; offsets?: ClockOffsets | undefined }) {
    this.#manual = options.manual;
    this.#offsets = options.offsets;
  }

  get given(): number | null {
    return this.#manual?.now() ?? null;
  }

  /** The time as the process computes it, without a query. */
  now = (): number => this.#manual?.now() ?? Math.round(this.#base + performance.now());
  monotonic = (): number => this.#manual?.monotonic() ?? performance.now();

  /** Learns the server's time. The server read it somewhere between `askedAt` and now. */
  learn(now: number, askedAt: number): void {
    if (this.#manual) return;
    const answeredAt = performance.now();
    this.#base = now - (askedAt + answeredAt) / 2;
    if (this.#offsets) this.#offsets[0] = this.#base + answeredAt - Date.now();
  }
}
