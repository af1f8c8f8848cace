// Pauses between tries of something that fails, such as a store that is away for a moment. Each pause is twice as long as
// the one before, up to a limit. There is no jitter: one process pauses here. For many clients of one server, see backoff.ts.

export interface PauseRange {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** For code that a timer or an event calls: it asks `isOver` before its next try. */
export class GrowingPause {
  readonly #range: PauseRange;
  readonly #clock: { monotonic(): number };
  #ms = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(range: PauseRange, clock: { monotonic(): number } = MACHINE) {
    this.#range = range;
    this.#clock = clock;
  }

  /** Begins the next pause and returns its length in milliseconds. */
  begin(): number {
    this.#ms = longerPause(this.#ms, this.#range);
    this.#endsAt = this.#clock.monotonic() + this.#ms;
    return this.#ms;
  }

  get isOver(): boolean {
    return this.#clock.monotonic() >= this.#endsAt;
  }

  /** A try succeeded: the next pause is the shortest again. A pause under way is not cut short. */
  reset(): void {
    this.#ms = 0;
  }
}

export interface RetryOptions extends PauseRange {
  /** Decides about each error, before the pause of `pauseMs`. On `false`, the error is thrown. */
  mayRetry(error: unknown, pauseMs: number): boolean;
}

/** Repeats `work` with growing pauses until it succeeds or `mayRetry` says no. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let pauseMs = options.firstMs; ; pauseMs = longerPause(pauseMs, options)) {
    try {
      return await work();
    } catch (error) {
      if (!options.mayRetry(error, pauseMs)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function longerPause(pauseMs: number, { firstMs, longestMs }: PauseRange): number {
  return Math.min(longestMs, Math.max(firstMs, pauseMs * 2));
}

const MACHINE = { monotonic: () => performance.now() };
