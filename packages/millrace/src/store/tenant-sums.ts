const COUNT_AGAIN_MS = 10_000;
const MOST_KNOWN = 10_000;

/**
 * What each tenant has of something, as this process knows it: bytes of streams, or kept events. It is summed up every ten
 * seconds at most: a tenant may have a million streams. So a limit can be passed by what other processes write in that time.
 */
export class TenantSums {
  readonly #known = new Map<number, { sum: number; until: number }>();

  /** Undefined: it has to be counted. */
  known(tenant: number, now: number): number | undefined {
    const known = this.#known.get(tenant);
    return known && known.until > now ? known.sum : undefined;
  }

  /** Remembers a sum. One that was counted is believed for ten seconds. */
  learn(tenant: number, sum: number, now: number, { isCounted }: { isCounted: boolean }): void {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const until = isCounted ? now + COUNT_AGAIN_MS : (this.#known.get(tenant)?.until ?? now);
    this.#known.set(tenant, { sum, until });
  }
}
