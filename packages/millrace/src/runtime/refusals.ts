import type { Log } from "../telemetry/log/log.ts";

const ONCE_IN_MS = 10_000;

/** Logs connections that were closed because there were too many: one line in ten seconds, with how many there were. */
export class Refusals {
  readonly #log: Log;
  #count = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Log) {
    this.#log = log;
  }

  add(address: string | undefined, count = 1): void {
    this.#count += count;
    const now = performance.now();
    if (now - this.#loggedAt < ONCE_IN_MS) return;
    this.#loggedAt = now;
    this.#log.warn("too many connections", { address, closed: this.#count });
    this.#count = 0;
  }
}
