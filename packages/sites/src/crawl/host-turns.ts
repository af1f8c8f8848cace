// Whose turn it is at a host. The pause between two requests is the host's, not a run's: ten runs of one host ask it no more often
// than one would. Over all processes the store keeps the moment; without a store, as in the library, this process does.

import type { RecordSpace } from "millrace/workload";

export interface HostTurns {
  /**
   * Takes the next turn at a host and says how long to wait for it. A turn further away than `mostMs` is not taken: come back then.
   */
  take(host: string, gapMs: number, mostMs: number): Promise<HostTurn>;
}

export interface HostTurn {
  readonly waitMs: number;
  readonly isTaken: boolean;
}

/** Turns within this process. */
export class LocalTurns implements HostTurns {
  readonly #nextAt = new Map<string, number>();

  async take(host: string, gapMs: number, mostMs: number): Promise<HostTurn> {
    const now = Date.now();
    const at = Math.max(now, Math.min(this.#nextAt.get(host) ?? 0, now + FURTHEST_MS));
    if (at - now > mostMs) return { waitMs: at - now, isTaken: false };
    if (this.#nextAt.size > MOST_HOSTS) this.#forget(now);
    this.#nextAt.set(host, at + gapMs);
    return { waitMs: at - now, isTaken: true };
  }

  #forget(now: number): void {
    for (const [host, at] of this.#nextAt) if (at < now) this.#nextAt.delete(host);
  }
}

const MOST_HOSTS = 10_000;
/** A clock that was wrong for a moment must not shut a host for a day. */
const FURTHEST_MS = 600_000;
const TRIES = 10;
const KEPT_MS = 3_600_000;

/** Turns over all processes: the first to write the record has the turn, and the others read it again. */
export class StoredTurns implements HostTurns {
  readonly #records: () => Pick<RecordSpace, "get" | "put"> | undefined;
  readonly #local = new LocalTurns();

  constructor(records: () => Pick<RecordSpace, "get" | "put"> | undefined) {
    this.#records = records;
  }

  async take(host: string, gapMs: number, mostMs: number): Promise<HostTurn> {
    const records = this.#records();
    for (let tried = 0; records !== undefined && tried < TRIES; tried++) {
      const found = await records.get(host);
      const now = Date.now();
      const { nextAt = 0 } = (found?.value ?? {}) as { nextAt?: number };
      const at = Math.max(now, Math.min(nextAt, now + FURTHEST_MS));
      if (at - now > mostMs) return { waitMs: at - now, isTaken: false };
      try {
        await records.put(
          host,
          { nextAt: at + gapMs },
          { ifVersion: found?.version ?? 0, expiresInMs: gapMs + KEPT_MS },
        );
        return { waitMs: at - now, isTaken: true };
      } catch (error) {
        if ((error as { code?: string }).code !== "record-conflict") throw error;
      }
    }
    return this.#local.take(host, gapMs, mostMs);
  }
}
