/** Starts or submissions at one moment. */
export interface WindowEntry {
  at: number;
  count: number;
}

/** What passed within a limit's period, exact to the millisecond. */
export class RateWindow {
  readonly #limit: { count: number; perMs: number };
  readonly #entries: WindowEntry[];
  readonly #now: number;

  /** `entries`: those within the period, oldest first. */
  constructor(limit: { count: number; perMs: number }, entries: WindowEntry[], now: number) {
    this.#limit = limit;
    this.#entries = entries;
    this.#now = now;
  }

  get room(): number {
    return this.#limit.count - this.#entries.reduce((sum, entry) => sum + entry.count, 0);
  }

  take(count: number): void {
    this.#entries.push({ at: this.#now, count });
  }

  /** When there will be room for `wanted`, as far as the entries tell. */
  freeAt(wanted: number): number {
    let missing = wanted - this.room;
    if (missing <= 0) return this.#now;
    for (const { at, count } of this.#entries) {
      missing -= count;
      if (missing <= 0) return at + this.#limit.perMs;
    }
    return this.#now + this.#limit.perMs;
  }
}
