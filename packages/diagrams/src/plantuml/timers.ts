/** The work on one drawing: how many of its timers are still to fire. */
interface Round {
  waiting: number;
  readonly ended: () => void;
}

/**
 * The timers of an engine that answers by a callback, and in some faults never. When none is left and nothing is awaited, it
 * will not answer any more.
 */
export class EngineTimers {
  #round: Round = { waiting: 0, ended: () => undefined };

  readonly start = (run: () => void, afterMs = 0): number => {
    const round = this.#begin();
    const fire = () => {
      try {
        run();
      } catch {
        // A fault in a thread of the engine: without an answer it has failed.
      } finally {
        finish(round);
      }
    };
    // Its threads take turns by timers of 0 ms, of which a real one would make a millisecond each.
    if (afterMs > 0) setTimeout(fire, afterMs);
    else setImmediate(fire);
    return 0;
  };

  async during<Value>(work: Promise<Value>): Promise<Value> {
    const round = this.#begin();
    try {
      return await work;
    } finally {
      // What follows on the answer comes first.
      setImmediate(() => finish(round));
    }
  }

  /** Undefined: the work came to its end without an answer. */
  async untilIdle<Value>(begin: (answer: (value: Value) => void) => void): Promise<Value | undefined> {
    const { promise, resolve } = Promise.withResolvers<Value | undefined>();
    // What is left of an earlier drawing ends beside it.
    this.#round = { waiting: 0, ended: () => resolve(undefined) };
    const round = this.#begin();
    try {
      begin(resolve);
    } catch {
      resolve(undefined);
    }
    finish(round);
    return promise;
  }

  #begin(): Round {
    this.#round.waiting++;
    return this.#round;
  }
}

function finish(round: Round): void {
  round.waiting--;
  if (round.waiting === 0) round.ended();
}
