import { AppError } from "../../lib/app-error.ts";

/** Options of `new MissLimit()`. */
export interface MissLimitOptions {
  /** Misses that are allowed in one period. */
  readonly most: number;
  /** The period, in milliseconds. */
  readonly perMs: number;
  /** The clock, in milliseconds. */
  readonly now: () => number;
}

const MOST_KNOWN = 10_000;

/**
 * Limits guessing: counts wrong keys, links and ids by the name they are counted for. After `most` misses in `perMs`,
 * further misses are refused with `rate-limited`. Correct requests are never counted. Its memory is bounded.
 */
export class MissLimit {
  readonly #options: MissLimitOptions;
  readonly #misses = new Map<string, { count: number; since: number }>();

  constructor(options: MissLimitOptions) {
    this.#options = options;
  }

  /** Counts one miss under each name. Throws `rate-limited` if one of them had too many before. */
  count(...names: readonly string[]): void {
    const over = names.find((name) => this.isOver(name));
    for (const name of names) this.#add(name);
    if (over !== undefined) throw this.refusal(over);
  }

  /** Whether there was a miss yet. */
  get hasCounted(): boolean {
    return this.#misses.size > 0;
  }

  /** Whether a name had too many misses. */
  isOver(name: string): boolean {
    const { most, perMs, now } = this.#options;
    const missed = this.#misses.get(name);
    return missed !== undefined && now() - missed.since < perMs && missed.count >= most;
  }

  /** The error to throw for a name that had too many misses. */
  refusal(name: string): AppError {
    const { perMs, now } = this.#options;
    const since = this.#misses.get(name)?.since ?? now();
    return new AppError("rate-limited", "Too many failed requests.", {
      hint: "Check the key or the address that you send, and try again later.",
      details: { limit: "misses", retryAfterMs: Math.max(1_000, since + perMs - now()) },
    });
  }

  #add(name: string): void {
    const { perMs, now } = this.#options;
    const missed = this.#misses.get(name);
    if (missed && now() - missed.since < perMs) missed.count++;
    else {
      this.#misses.delete(name);
      if (this.#misses.size >= MOST_KNOWN) this.#misses.delete(this.#misses.keys().next().value as string);
      this.#misses.set(name, { count: 1, since: now() });
    }
  }
}
