import type { DatabaseSync, StatementSync } from "node:sqlite";
import { AppError } from "../../../lib/app-error.ts";
import { classify } from "./errors.ts";

const RETRY_MS = 0.3;
const REST_MS = 0.5;
/** A submission that cannot be stored is answered within 5 s. */
const GIVE_UP_MS = 4_500;
/** After a call gave up, the calls that waited behind it wait only this much longer. */
const GIVE_UP_AGAIN_MS = 50;

/** How long the lock has been refused without a commit of another process. */
interface Refusal {
  since: number;
  version: number;
}

/**
 * Takes the file's one write lock. SQLite's own busy handler is unfair: a light process beside a saturating one waited
 * 1.8 s. So we ask every 0.3 ms, and while another process lives we rest 0.5 ms after a commit: p99 4.8 ms.
 */
export class WriteTurn {
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  #endedAt = Number.NEGATIVE_INFINITY;
  #refusal: Refusal | undefined;
  #begin: StatementSync | undefined;

  begin(db: DatabaseSync, othersLive: boolean): void {
    if (othersLive) {
      const restMs = this.#endedAt + REST_MS - performance.now();
      if (restMs > 0) this.#sleep(restMs);
    }
    const since = performance.now();
    for (;;) {
      try {
        this.#begin ??= db.prepare("BEGIN IMMEDIATE");
        this.#begin.run();
        this.#refusal = undefined;
        return;
      } catch (error) {
        if (classify(error) !== "busy") throw error;
        const now = performance.now();
        this.#refusal ??= { since: now, version: dataVersion(db) };
        if (now - since > GIVE_UP_MS || (now - since > GIVE_UP_AGAIN_MS && this.#isHeldForLong(db, now))) {
          throw new AppError("store-unavailable", "Another process locked the database for too long.", {
            cause: error,
            hint: "Try again; if it lasts, look for a program that keeps a transaction open on the file.",
          });
        }
        this.#sleep(RETRY_MS);
      }
    }
  }

  /**
   * Calls that arrive while the lock is held for long share the wait of the first one. So none of them waits another 5 s, and
   * reads run in between. A lock that moves between busy processes is not held for long: each call then waits for its turn.
   */
  #isHeldForLong(db: DatabaseSync, now: number): boolean {
    const { since, version } = this.#refusal as Refusal;
    if (now - since <= GIVE_UP_MS) return false;
    const current = dataVersion(db);
    if (current === version) return true;
    this.#refusal = { since: now, version: current };
    return false;
  }

  end(): void {
    this.#endedAt = performance.now();
  }

  #sleep(ms: number): void {
    Atomics.wait(this.#sleeper, 0, 0, ms);
  }
}

/** Changes whenever another connection commits. */
function dataVersion(db: DatabaseSync): number {
  return (db.prepare("PRAGMA data_version").get() as { data_version: number }).data_version;
}
