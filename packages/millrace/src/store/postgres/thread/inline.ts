import type { Store, StoreEvents } from "../../store.ts";
import type { Answer, Args, Callee, Verb } from "../../thread/calls.ts";
import { closedError } from "../../thread/thread-callee.ts";
import { toAppError } from "../connection/errors.ts";
import { type ByHand, Core, type CoreOptions } from "../core.ts";
import { verbsOf } from "../verbs.ts";

/** What is asked by whoever has the leases: of a bundle that is closed nobody else can. */
const OF_A_HOLDER: ReadonlySet<Verb> = new Set<Verb>([
  ...(["settle", "renew", "confirm", "note", "storedSteps", "saveStep"] as const),
  ...(["take", "blockLimiter", "keepArtifact", "takeUnique", "share"] as const),
]);
/** These must be right whosever bundles are closed. */
const BESIDE_BUNDLES: ReadonlySet<Verb> = new Set<Verb>(["claim", "beat"]);

/** The same core without a thread: for tests that move the clock by hand. */
export class InlineCallee implements Callee {
  readonly #core: Core;
  readonly #verbs: Pick<Store, Verb>;
  readonly #bundles: ByHand["bundles"];
  #closed = false;

  private constructor(core: Core, byHand: ByHand) {
    this.#core = core;
    this.#verbs = verbsOf(core);
    this.#bundles = byHand.bundles;
  }

  static async open(options: CoreOptions, events: StoreEvents, byHand: ByHand): Promise<InlineCallee> {
    try {
      return new InlineCallee(await Core.open(options, events, byHand), byHand);
    } catch (error) {
      throw toAppError(error);
    }
  }

  async call<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>> {
    if (this.#closed) throw closedError();
    try {
      if (!BESIDE_BUNDLES.has(verb)) await this.#openBundles({ own: !OF_A_HOLDER.has(verb) });
      const run = this.#verbs[verb] as (...args: unknown[]) => Promise<Answer<V>>;
      // Cloned as on the way to the thread, so that nobody shares an object with the store by accident.
      return structuredClone(await run(...(structuredClone(args) as unknown[])));
    } catch (error) {
      throw toAppError(error);
    }
  }

  /** What others see of a bundle's jobs depends on its age: here they see it opened. */
  async #openBundles({ own }: { own: boolean }): Promise<void> {
    for (const bundles of this.#bundles?.everybodys ?? []) {
      if (own || bundles !== this.#core.bundles) await bundles.openAll();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#core.close();
  }
}
