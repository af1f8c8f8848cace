import { toCallerError } from "../../caller-error.ts";
import type { StoreEvents } from "../../store.ts";
import type { CallHandler } from "../../thread/calls.ts";
import { closedError } from "../../thread/store-thread.ts";
import type { CallerTransaction } from "../../verbs/caller-transaction.ts";
import { VERBS, type Verb } from "../../verbs/table.ts";
import { toAppError } from "../connection/errors.ts";
import { type ByHand, Core, type CoreOptions } from "../core.ts";
import { runVerb } from "./run-verb.ts";

/** Calls that only the holder of the leases can make, also while a bundle is closed. */
const OF_A_HOLDER: ReadonlySet<Verb> = new Set<Verb>([
  ...(["settle", "renew", "confirm", "note", "storedSteps", "saveStep"] as const),
  ...(["take", "blockLimiter", "keepArtifact", "acquireUnique", "share", "openStreams", "appendStreams"] as const),
]);
/** These answers must be right whichever process has closed bundles. */
const BESIDE_BUNDLES: ReadonlySet<Verb> = new Set<Verb>(["claim", "beat"]);

/** The same core without a thread: for tests that move the clock by hand. */
export class InlineCore implements CallHandler {
  readonly #core: Core;
  readonly #bundles: ByHand["bundles"];
  #closed = false;

  private constructor(core: Core, byHand: ByHand) {
    this.#core = core;
    this.#bundles = byHand.bundles;
  }

  static async open(options: CoreOptions, events: StoreEvents, byHand: ByHand): Promise<InlineCore> {
    try {
      return new InlineCore(await Core.open(options, events, byHand), byHand);
    } catch (error) {
      throw toAppError(error);
    }
  }

  async call(verb: Verb, args: unknown[]): Promise<unknown> {
    if (this.#closed) throw closedError();
    try {
      if (!BESIDE_BUNDLES.has(verb)) await this.#openBundles({ own: !OF_A_HOLDER.has(verb) });
      if (VERBS[verb].mode === "within") return await this.#callWithin(verb, args);
      // Cloned as on the way to the thread, so that caller and store never share an object by accident.
      return structuredClone(await runVerb(this.#core, { verb, args: structuredClone(args) }));
    } catch (error) {
      throw toAppError(error);
    }
  }

  async #callWithin(verb: Verb, [tx, ...args]: unknown[]): Promise<unknown> {
    let failure: { cause: unknown } | undefined;
    const watched: CallerTransaction = {
      query: (text, values) =>
        (tx as CallerTransaction).query(text, values).catch((cause) => {
          failure = { cause };
          throw cause;
        }),
    };
    try {
      return await runVerb(this.#core, { verb, args: [watched, ...args] });
    } catch (error) {
      throw failure ? toCallerError(failure.cause) : error;
    }
  }

  /** Opens bundles, because what others see of a bundle's jobs depends on its age. */
  async #openBundles({ own }: { own: boolean }): Promise<void> {
    for (const bundles of this.#bundles?.ofAllStores ?? []) {
      if (own || bundles !== this.#core.bundles) await bundles.openAll();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#core.close();
  }
}
