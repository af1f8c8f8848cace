import { hostname } from "node:os";
import { type Clock, sharedOffsets, systemClock } from "../../lib/clock.ts";
import { NO_LIMITS } from "../no-limits.ts";
import type { Store, StoreEvents, StoreLimits } from "../store.ts";
import type { CallHandler } from "../thread/calls.ts";
import { closedError, StoreThread } from "../thread/store-thread.ts";
import { threadEntry } from "../thread/thread-entry.ts";
import { type Verb, VerbMethods } from "../verbs/table.ts";
import type { ByHand, CoreOptions } from "./core.ts";

export interface PostgresStoreOptions {
  url: string;
  durability?: "full" | "normal";
  leaseMs?: number;
  instanceName?: string;
  limits?: Partial<StoreLimits>;
  /** Tests: no thread, time and chance by hand. */
  inline?: ByHand;
}

/** All jobs that end in one turn are one statement. The thread only sends it on, so it need not begin before the turn is over. */
const FLUSH_AT = 1_000;

let opened = 0;

/**
 * The store on one PostgreSQL database, which any number of processes on any number of machines may share. Its verbs are those
 * of ../verbs/table.ts; postgres/verbs.ts has their functions. All of them run in the store thread.
 */
export class PostgresStore extends VerbMethods implements Store {
  /** The clock of the database, as last read. Machines whose clocks differ agree on it. */
  readonly clock: Clock;
  /**
   * A poll costs a round trip to another machine, and new work is announced. So polls are rarer than on a file. Jobs of
   * transactions of the application are not announced: they start within a second of the commit, polls and claim included.
   */
  readonly pollMs = 750;
  /** Every statement has a fixed cost. This many jobs fit on one page in the row of a bundle. */
  readonly claimAtOnce = 1_000;
  readonly takesTransactions = true;
  readonly #options: CoreOptions;
  readonly #inline: PostgresStoreOptions["inline"];
  #handler: CallHandler | undefined;

  constructor(options: PostgresStoreOptions) {
    super();
    this.#inline = options.inline;
    const clockOffsets = sharedOffsets();
    this.clock = options.inline?.clock ?? systemClock(clockOffsets);
    this.#options = {
      url: options.url,
      durability: options.durability ?? "full",
      leaseMs: options.leaseMs ?? 15_000,
      instanceName: options.instanceName ?? `${hostname()}:${process.pid}${opened++ > 0 ? `.${opened}` : ""}`,
      limits: { ...NO_LIMITS, ...options.limits },
      clockOffsets,
    };
  }

  async open(events: StoreEvents): Promise<void> {
    this.#handler = this.#inline
      ? await openInline(this.#options, events, this.#inline)
      : await openThread(this.#options, events);
  }

  async close(): Promise<void> {
    const handler = this.#handler;
    this.#handler = undefined;
    await handler?.close();
  }

  protected call(verb: Verb, args: unknown[]): Promise<unknown> {
    if (!this.#handler) throw closedError();
    return this.#handler.call(verb, args);
  }
}

async function openThread(options: CoreOptions, events: StoreEvents): Promise<CallHandler> {
  const entry = await threadEntry("store/postgres/thread/thread.ts", () => import("./thread/embedded.ts"));
  return StoreThread.open(entry, options, events, { flushAt: FLUSH_AT });
}

/** Loaded when asked for: with a thread, the main thread needs none of the core. */
async function openInline(options: CoreOptions, events: StoreEvents, byHand: ByHand): Promise<CallHandler> {
  const { InlineCore } = await import("./thread/inline.ts");
  return InlineCore.open(options, events, byHand);
}
