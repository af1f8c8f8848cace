import { isSearch } from "../../search.ts";
import type { CallHandler } from "../../thread/calls.ts";
import { closedError } from "../../thread/store-thread.ts";
import { VERBS, type Verb } from "../../verbs/table.ts";

type Role = "lists" | "searches";

/**
 * The reader threads: one for searches in what jobs contain, one for everything else, each started when first needed. So a
 * list waits for no search, and between the searches tenants take turns.
 */
export class Readers implements CallHandler {
  readonly #open: () => Promise<CallHandler>;
  readonly #threads = new Map<Role, Promise<CallHandler>>();
  #isClosed = false;

  constructor(open: () => Promise<CallHandler>) {
    this.#open = open;
  }

  async call(verb: Verb, args: unknown[]): Promise<unknown> {
    if (VERBS[verb].mode === "alone") return this.#callAlone(verb, args);
    return (await this.#thread(isSearchIn(args[0]) ? "searches" : "lists")).call(verb, args);
  }

  async #callAlone(verb: Verb, args: unknown[]): Promise<unknown> {
    if (this.#isClosed) throw closedError();
    const thread = await this.#open();
    try {
      return await thread.call(verb, args);
    } finally {
      await thread.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = await Promise.allSettled(this.#threads.values());
    this.#threads.clear();
    for (const thread of threads) if (thread.status === "fulfilled") await thread.value.close();
  }

  #thread(role: Role): Promise<CallHandler> {
    if (this.#isClosed) throw closedError();
    const known = this.#threads.get(role);
    if (known) return known;
    const thread = this.#open();
    this.#threads.set(role, thread);
    // After a failure the next call tries again.
    thread.catch(() => this.#threads.delete(role));
    return thread;
  }
}

function isSearchIn(filter: unknown): boolean {
  return typeof filter === "object" && filter !== null && isSearch(filter);
}
