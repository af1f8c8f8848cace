import { AppError } from "../lib/app-error.ts";

export interface MissLimitOptions {
  readonly most: number;
  readonly perMs: number;
  readonly now: () => number;
}

const MOST_KNOWN = 10_000;

/**
 * Counts misses: wrong keys, links and ids, each under the names it is counted for. After `most` of them in `perMs`, further
 * misses are answered with 429. What is right is never asked about here, so nobody's misses shut out anybody else.
 * Bounded in memory, whoever comes.
 */
export class MissLimit {
  readonly #options: MissLimitOptions;
  readonly #misses = new Map<string, { count: number; since: number }>();

  constructor(options: MissLimitOptions) {
    this.#options = options;
  }

  /** Counts one under each of these names; throws where one of them has had too many before. */
  count(...names: readonly string[]): void {
    const over = names.find((name) => this.isOver(name));
    for (const name of names) this.#add(name);
    if (over !== undefined) throw this.refusal(over);
  }

  /** False: nobody has missed yet. */
  get hasCounted(): boolean {
    return this.#misses.size > 0;
  }

  isOver(name: string): boolean {
    const { most, perMs, now } = this.#options;
    const missed = this.#misses.get(name);
    return missed !== undefined && now() - missed.since < perMs && missed.count >= most;
  }

  refusal(name: string): AppError {
    const { perMs, now } = this.#options;
    const since = this.#misses.get(name)?.since ?? now();
    return new AppError("rate-limited", "Too many wrong tries.", {
      hint: "Check what you send, and try again later.",
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
