import type { Memory } from "../job/kind/kind.ts";
import type { OpenedLink } from "../job/opened-link.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Bytes } from "../lib/bytes.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";
import { OpenedLinks, type OpenedLinksOptions } from "./opened-links.ts";

const MARK_EVERY_MS = 60_000;
const MOST_MARKS = 10_000;

/** Artifacts that outlive the jobs that made them. `ctx.share()` writes them; they are read by link or by key. */
export class SharedArtifacts {
  readonly #store: Store;
  readonly #log: Log;
  readonly #read = new Set<string>();
  readonly #opened: OpenedLinks;
  #timer: NodeJS.Timeout | undefined;

  /** @internal */
  constructor(store: Store, log: Log, options: OpenedLinksOptions) {
    this.#store = store;
    this.#log = log;
    this.#opened = new OpenedLinks(options);
  }

  /** @internal */
  start(): void {
    this.#timer ??= setInterval(() => void this.markRead(), MARK_EVERY_MS);
  }

  /** @internal */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.markRead();
  }

  /** The shared artifacts as one tenant sees them. Every tenant has its own links to the same bytes. */
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

  /** The artifact behind a link. Returns undefined if the link is unknown or its artifact was deleted. */
  async open(link: string): Promise<OpenedLink | undefined> {
    const opened = await this.#opened.get(link, () => this.#look(link));
    if (opened) this.#mark(opened.key);
    return opened;
  }

  async #look(link: string): Promise<OpenedLink | undefined> {
    const found = await this.#store.linked(link);
    if (!found) return undefined;
    const bytes = found.bytes as Bytes;
    return { ...found, bytes, info: JSON.parse(found.info), createdAt: new Date(found.createdAt) };
  }

  #mark(key: string): void {
    this.#read.add(key);
    if (this.#read.size >= MOST_MARKS) void this.markRead();
  }

  /** @internal */
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
