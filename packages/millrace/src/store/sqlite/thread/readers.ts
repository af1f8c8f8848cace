import { isSearch } from "../../search.ts";
import type { Answer, Args, Callee, Verb } from "../../thread/calls.ts";
import { closedError } from "../../thread/thread-callee.ts";

type Role = "lists" | "searches";

/**
 * The reader threads: one for searches in what jobs contain, one for everything else, each started when first needed. So a
 * list waits for no search, and between the searches tenants take turns.
 */
export class Readers {
  readonly #open: () => Promise<Callee>;
  readonly #threads = new Map<Role, Promise<Callee>>();
  #isClosed = false;

  constructor(open: () => Promise<Callee>) {
    this.#open = open;
  }

  async call<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>> {
    return (await this.#thread(isSearchIn(args[0]) ? "searches" : "lists")).call(verb, ...args);
  }

  /** On a thread of its own: it takes as long as copying the file. */
  async alone<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>> {
    if (this.#isClosed) throw closedError();
    const thread = await this.#open();
    try {
      return await thread.call(verb, ...args);
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

  #thread(role: Role): Promise<Callee> {
    if (this.#isClosed) throw closedError();
    const known = this.#threads.get(role);
    if (known) return known;
    const thread = this.#open();
    this.#threads.set(role, thread);
    // The next to ask tries again.
    thread.catch(() => this.#threads.delete(role));
    return thread;
  }
}

function isSearchIn(filter: unknown): boolean {
  return typeof filter === "object" && filter !== null && isSearch(filter);
}
