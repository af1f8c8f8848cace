import type { Answer, Args, Callee, Verb } from "../calls.ts";
import type { Store, StoreEvents } from "../store.ts";
import { closedError } from "../thread-callee.ts";
import { type ByHand, Core, type CoreOptions } from "./core.ts";
import { toAppError } from "./errors.ts";
import { verbsOf } from "./verbs.ts";

/** The same core without a thread: for tests that move the clock by hand. */
export class InlineCallee implements Callee {
  readonly #core: Core;
  readonly #verbs: Pick<Store, Verb>;
  #closed = false;

  private constructor(core: Core) {
    this.#core = core;
    this.#verbs = verbsOf(core);
  }

  static async open(options: CoreOptions, events: StoreEvents, byHand: ByHand): Promise<InlineCallee> {
    try {
      return new InlineCallee(await Core.open(options, events, byHand));
    } catch (error) {
      throw toAppError(error);
    }
  }

  async call<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>> {
    if (this.#closed) throw closedError();
    try {
      const run = this.#verbs[verb] as (...args: unknown[]) => Promise<Answer<V>>;
      // Cloned as on the way to the thread, so that nobody shares an object with the store by accident.
      return structuredClone(await run(...(structuredClone(args) as unknown[])));
    } catch (error) {
      throw toAppError(error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#core.close();
  }
}
