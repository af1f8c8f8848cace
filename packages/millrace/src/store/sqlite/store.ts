import { existsSync } from "node:fs";
import { hostname } from "node:os";
import type { Clock, ClockOffsets } from "../../lib/clock.ts";
import { NO_LIMITS } from "../no-limits.ts";
import type { Store, StoreEvents, StoreLimits } from "../store.ts";
import type { CallHandler } from "../thread/calls.ts";
import { closedError, StoreThread } from "../thread/store-thread.ts";
import { threadEntry } from "../thread/thread-entry.ts";
import { VERBS, type Verb, VerbMethods, type VerbTraits } from "../verbs/table.ts";
import { replacedError } from "./connection/replaced-error.ts";
import { requireSqlite } from "./connection/require-sqlite.ts";
import type { CoreOptions } from "./core.ts";
import { Readers } from "./thread/readers.ts";
import type { ThreadData } from "./thread/thread.ts";

export interface SqliteStoreOptions {
  path: string;
  durability?: "full" | "normal";
  leaseMs?: number;
  instanceName?: string;
  limits?: Partial<StoreLimits>;
  /** Tests: shifts the clocks of this process and its store thread. */
  clockOffsets?: ClockOffsets;
  /** Tests: no thread, time and chance by hand. */
  inline?: { clock: Clock; random?: () => number };
}

let opened = 0;

/**
 * The store on one SQLite file. Its verbs are those of ../verbs/table.ts; sqlite/verbs.ts has their functions. Writes and short reads go
 * to the store thread, lists and searches to reader threads.
 */
export class SqliteStore extends VerbMethods implements Store {
  readonly #options: CoreOptions;
  readonly #inline: SqliteStoreOptions["inline"];
  #writer: CallHandler | undefined;
  #readers: CallHandler | undefined;

  constructor(options: SqliteStoreOptions) {
    super();
    this.#inline = options.inline;
    this.#options = {
      path: options.path,
      durability: options.durability ?? "full",
      leaseMs: options.leaseMs ?? 15_000,
      instanceName: options.instanceName ?? `${hostname()}:${process.pid}${opened++ > 0 ? `.${opened}` : ""}`,
      limits: { ...NO_LIMITS, ...options.limits },
      ...(options.clockOffsets && { clockOffsets: options.clockOffsets }),
    };
  }

  async open(events: StoreEvents): Promise<void> {
    requireSqlite();
    if (this.#inline !== undefined || this.#options.path === ":memory:") await this.#openInline(events);
    else await this.#openThreads(events);
  }

  /** Loaded when asked for: with threads, the main thread needs neither the core nor SQLite. */
  async #openInline(events: StoreEvents): Promise<void> {
    const { InlineCore } = await import("./thread/inline.ts");
    this.#writer = new InlineCore(this.#options, events, this.#inline);
    this.#readers = this.#writer;
  }

  async #openThreads(events: StoreEvents): Promise<void> {
    const { path, limits, clockOffsets } = this.#options;
    let isReplaced = false;
    this.#writer = await openThread(
      { role: "writer", options: this.#options },
      {
        ...events,
        conditions: (conditions) => {
          isReplaced ||= conditions.some(({ code }) => code === "store-replaced");
          events.conditions?.(conditions);
        },
      },
    );
    const reader = { role: "reader", path, queryMs: limits.queryMs, ...(clockOffsets && { clockOffsets }) } as const;
    this.#readers = new Readers(async () => {
      // A reader that is opened now would read the new file under the old name.
      if (isReplaced || !existsSync(path)) throw replacedError(path);
      return openThread(reader);
    });
  }

  async close(): Promise<void> {
    const [writer, readers] = [this.#writer, this.#readers];
    this.#writer = undefined;
    this.#readers = undefined;
    if (readers !== writer) await readers?.close();
    await writer?.close();
  }

  protected call(verb: Verb, args: unknown[]): Promise<unknown> {
    const { mode, thread }: VerbTraits = VERBS[verb];
    const handler = thread === "reader" || mode === "alone" ? this.#readers : this.#writer;
    if (!handler) throw closedError();
    return handler.call(verb, args);
  }
}

async function openThread(data: ThreadData, events?: StoreEvents): Promise<StoreThread> {
  const entry = await threadEntry("store/sqlite/thread/thread.ts", () => import("./thread/embedded.ts"));
  return StoreThread.open(entry, data, events);
}
