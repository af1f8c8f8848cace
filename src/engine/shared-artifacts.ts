import type { Memory } from "../job/kind.ts";
import type { OpenedLink } from "../job/opened-link.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { OpenedLinks, type OpenedLinksOptions } from "./opened-links.ts";

const MARK_EVERY_MS = 60_000;
const MOST_MARKS = 10_000;

/** What jobs shared: by key, by link. What is read here is marked as read once a minute, so that it stays longest. */
export class SharedArtifacts {
  readonly #store: Store;
  readonly #log: Log;
  readonly #read = new Set<string>();
  readonly #opened: OpenedLinks;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, log: Log, options: OpenedLinksOptions) {
    this.#store = store;
    this.#log = log;
    this.#opened = new OpenedLinks(options);
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.markRead(), MARK_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.markRead();
  }

  /** As a tenant sees them: each has links of its own to the same bytes. */
  memoryOf(tenant: string): Memory {
    return {
      tenant,
      link: async (key) => {
        const found = await this.#store.linkTo(tenant, key);
        if (!found) return undefined;
        this.#mark(key);
        return { link: found.link, info: JSON.parse(found.info) };
      },
    };
  }

  /** What the link leads to; undefined when it never was one, or what it led to is gone. */
  async open(link: string): Promise<OpenedLink | undefined> {
    const opened = await this.#opened.get(link, () => this.#look(link));
    if (opened) this.#mark(opened.key);
    return opened;
  }

  async #look(link: string): Promise<OpenedLink | undefined> {
    const found = await this.#store.linked(link);
    return found && { ...found, info: JSON.parse(found.info), createdAt: new Date(found.createdAt) };
  }

  #mark(key: string): void {
    this.#read.add(key);
    if (this.#read.size >= MOST_MARKS) void this.markRead();
  }

  async markRead(): Promise<void> {
    if (this.#read.size === 0) return;
    const keys = [...this.#read];
    this.#read.clear();
    try {
      await this.#store.markRead(keys);
    } catch (error) {
      this.#log.warn("could not mark artifacts as read", { error: messageOf(error) });
    }
  }
}
