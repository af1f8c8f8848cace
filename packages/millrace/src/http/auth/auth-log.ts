import type { Log } from "../../telemetry/log/log.ts";

const MOST_LINES = 20;
const PER_MS = 60_000;

type AuthFailure = Readonly<Record<string, unknown>>;

/** `auth failed` lines, 20 a minute at most, so that a flood does not fill the disk. The next line counts those left out. */
export class AuthLog {
  readonly #log: Log;
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #leftOut = 0;

  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  failed(about: AuthFailure): void {
    if (this.#now() - this.#since >= PER_MS) {
      this.#since = this.#now();
      this.#lines = 0;
    }
    if (this.#lines++ >= MOST_LINES) {
      this.#leftOut++;
      return;
    }
    this.#log.warn("auth failed", { ...about, ...(this.#leftOut > 0 && { leftOut: this.#leftOut }) });
    this.#leftOut = 0;
  }

  /** A request without credentials, such as the first one of a browser: it is expected, and so not a warning. */
  notSignedIn(about: AuthFailure): void {
    this.#log.info("auth failed", { ...about });
  }
}
