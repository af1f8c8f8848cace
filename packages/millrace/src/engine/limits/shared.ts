import { AppError } from "../../lib/app-error.ts";
import { checked } from "../../lib/options/check.ts";
import { FOREVER, whole } from "../../lib/options/option.ts";
import type { Store } from "../../store/store.ts";
import type { SharedLimitFacts } from "../../store/verbs/limits/shared-limits.ts";

/** A limit on running jobs that kinds share. */
export interface SharedLimitView {
  /** The name of the limit. */
  name: string;
  /** The limit in effect: the number that an operator has set, else the defined one. */
  total: number;
  /** What the deployment with the highest number defines in `Millrace.open({ limits })`. */
  defined: number;
  /** The limit that an operator has set. Missing if there is none. */
  set?: number;
  /** The kinds that use the limit. */
  kinds: string[];
  /** The number of their running jobs. */
  running: number;
}

const TOTAL = whole(1, FOREVER);

/** The limits on running jobs that kinds share: `Millrace.open({ limits })` defines them. */
export class SharedLimits {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** All limits by name, with the jobs that run under each. */
  async list(): Promise<SharedLimitView[]> {
    return (await this.#store.sharedLimits()).map(viewOf);
  }

  /** Sets a total in place of the defined one, in all processes, until it is reset. Throws `limit-unknown`. */
  async set(name: string, total: number): Promise<SharedLimitView> {
    return this.#put(name, checked("total", TOTAL, total));
  }

  /** Lets the defined total count again. Throws `limit-unknown`. */
  async reset(name: string): Promise<SharedLimitView> {
    return this.#put(name, null);
  }

  /** @internal Sentences about jobs that wait until an operator helps. */
  async warnings(): Promise<string[]> {
    const { count, oldest } = await this.#store.deadKeyHolders();
    if (count === 0) return [];
    const names = `${oldest.join(", ")}${count > oldest.length ? " …" : ""}`;
    const subject =
      count === 1 ? "A failed job holds its concurrency key" : `${count} failed jobs hold their concurrency keys`;
    return [
      `${subject}, and the jobs behind ${count === 1 ? "it" : "them"} wait: ${names}. Revive, cancel or delete ${count === 1 ? "it" : "them"}.`,
    ];
  }

  async #put(name: string, total: number | null): Promise<SharedLimitView> {
    const answer = await this.#store.setSharedLimit(name, total);
    const limit = (await this.list()).find((each) => each.name === name);
    if (answer !== "not-found" && limit) return limit;
    throw new AppError("limit-unknown", `No limit has the name "${name}".`, {
      hint: "A process must have defined it once: Millrace.open({ limits }).",
    });
  }
}

function viewOf({ name, defined, set, kinds, running }: SharedLimitFacts): SharedLimitView {
  return { name, total: set ?? defined, defined, ...(set !== undefined && { set }), kinds, running };
}
