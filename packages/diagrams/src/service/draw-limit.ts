import { AppError } from "millrace";
import type { Caller } from "millrace/workload";

const MINUTE_MS = 60_000;
const MOST_KEYS = 10_000;

/** How often a key that may only draw is answered in a minute. Such keys stand in pages, where strangers find them. */
export class DrawLimit {
  readonly #most: number;
  readonly #now: () => number;
  readonly #drawn = new Map<string, { count: number; since: number }>();

  constructor(mostInAMinute: number, now: () => number = Date.now) {
    this.#most = mostInAMinute;
    this.#now = now;
  }

  /** Throws `rate-limited`. Other callers are not counted. */
  count(caller: Pick<Caller, "name" | "scopes" | "root">): void {
    if (caller.root || caller.scopes.size !== 1 || !caller.scopes.has("draw")) return;
    const now = this.#now();
    let key = this.#drawn.get(caller.name);
    if (key === undefined || now - key.since >= MINUTE_MS) {
      if (this.#drawn.size >= MOST_KEYS) this.#drawn.clear();
      key = { count: 0, since: now };
      this.#drawn.set(caller.name, key);
    }
    if (key.count++ < this.#most) return;
    throw new AppError("rate-limited", `This key has drawn ${this.#most} diagrams within a minute.`, {
      hint: "Wait, or raise DRAW_RATE.",
      details: { limit: "rate", retryAfterMs: key.since + MINUTE_MS - now },
    });
  }
}
