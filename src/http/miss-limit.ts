import { AppError } from "../lib/app-error.ts";

export interface MissLimitOptions {
  readonly most: number;
  readonly perMs: number;
  readonly now: () => number;
}

const MOST_ADDRESSES = 10_000;

/** Guessing is slowed down: after so many misses an address must wait. Bounded in memory, whoever comes. */
export class MissLimit {
  readonly #options: MissLimitOptions;
  readonly #misses = new Map<string, { count: number; since: number }>();

  constructor(options: MissLimitOptions) {
    this.#options = options;
  }

  check(address = "unknown"): void {
    const { most, perMs, now } = this.#options;
    const missed = this.#misses.get(address);
    if (!missed || now() - missed.since >= perMs || missed.count < most) return;
    throw new AppError("rate-limited", "Too many misses from this address.", {
      details: { limit: "misses", retryAfterMs: missed.since + perMs - now() },
    });
  }

  count(address = "unknown"): void {
    const { perMs, now } = this.#options;
    const missed = this.#misses.get(address);
    if (missed && now() - missed.since < perMs) missed.count++;
    else {
      if (this.#misses.size >= MOST_ADDRESSES) this.#misses.delete(this.#misses.keys().next().value as string);
      this.#misses.set(address, { count: 1, since: now() });
    }
  }
}
