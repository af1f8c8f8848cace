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

  /** Call this when a try succeeded: the next pause is the shortest again. A pause under way is not cut short. */
  reset(): void {
    this.#ms = 0;
  }
}

type MayRetry = (error: unknown, pauseMs: number) => boolean;

/**
 * Repeats `work` with growing pauses until it succeeds. `mayRetry` decides about each error, before a pause of `pauseMs`; an
 * error that it refuses is thrown.
 */
export async function retry<T>(work: () => Promise<T>, range: PauseRange, mayRetry: MayRetry): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return retryAfter(error, work, range, mayRetry);
  }
}

/** Repeats `work` that has failed once already. */
export async function retryAfter<T>(
  firstError: unknown,
  work: () => Promise<T>,
  range: PauseRange,
  mayRetry: MayRetry,
): Promise<T> {
  let error = firstError;
  for (let pauseMs = range.firstMs; ; pauseMs = longerPause(pauseMs, range)) {
    if (!mayRetry(error, pauseMs)) throw error;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      return await work();
    } catch (again) {
      error = again;
    }
  }
}

function longerPause(pauseMs: number, { firstMs, longestMs }: PauseRange): number {
  return Math.min(longestMs, Math.max(firstMs, pauseMs * 2));
}

const MACHINE = { monotonic: () => performance.now() };
