import { AppError } from "../../../lib/app-error.ts";
import { queryTimeout } from "../../thread/query-timeout.ts";
import { NO_TENANT, type Turn, Turns } from "../../thread/turns.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { codeOfError } from "../connection/errors.ts";

/** The server ended the statement: it took longer than `statement_timeout`. */
const CANCELLED = "57014";

interface QueuedRead extends Turn {
  go(): void;
  isLate: boolean;
}

export interface ReadsOptions {
  /** How many may run at once, on as many connections. */
  most: number;
  /** How many of them may be one tenant's. */
  mostOfOne: number;
  /** Includes the wait for a turn. 0 means no limit. */
  limitMs: number;
}

/** Reads by filter wait here for their turn, so that one tenant's searches cannot hold up another's lists. */
export class Reads {
  readonly #db: StatementRunner;
  readonly #options: ReadsOptions;
  readonly #turns = new Turns<QueuedRead>();
  readonly #running = new Map<string, number>();
  #count = 0;

  constructor(db: StatementRunner, options: ReadsOptions) {
    this.#db = db;
    this.#options = options;
  }

  async run<T>(tenant: string | undefined, work: (db: StatementRunner) => Promise<T>): Promise<T> {
    const lane = tenant ?? NO_TENANT;
    await this.#turnOf(lane);
    try {
      return await work(this.#db);
    } catch (error) {
      const isLate = error instanceof AppError && codeOfError(error.cause) === CANCELLED;
      throw isLate ? queryTimeout(this.#options.limitMs) : error;
    } finally {
      this.#end(lane);
    }
  }

  #turnOf(lane: string): Promise<void> {
    const { limitMs } = this.#options;
    return new Promise((resolve, reject) => {
      const waiting: QueuedRead = { lane, begun: false, isLate: false, go: resolve };
      if (limitMs > 0) {
        const timer = setTimeout(() => {
          waiting.isLate = true;
          reject(queryTimeout(limitMs));
        }, limitMs);
        waiting.go = () => {
          clearTimeout(timer);
          resolve();
        };
      }
      this.#turns.add(waiting);
      this.#next();
    });
  }

  #next(): void {
    const { most, mostOfOne } = this.#options;
    while (this.#count < most) {
      const next = this.#turns.next((lane) => (this.#running.get(lane) ?? 0) < mostOfOne);
      if (!next) return;
      if (next.isLate) continue;
      this.#count++;
      next.go();
      // The read counts as running from here on, although its caller goes on a moment later.
      this.#running.set(next.lane, (this.#running.get(next.lane) ?? 0) + 1);
    }
  }

  #end(lane: string): void {
    const left = (this.#running.get(lane) ?? 1) - 1;
    if (left === 0) this.#running.delete(lane);
    else this.#running.set(lane, left);
    this.#count--;
    this.#next();
  }
}
