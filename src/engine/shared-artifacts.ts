import type { Memory } from "../job/kind.ts";
import { messageOf } from "../lib/app-error.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";

/** Bytes that outlive the job that made them, as whoever follows a link to them gets them. */
export interface OpenedLink {
  tenant: string;
  key: string;
  contentType: string;
  bytes: Uint8Array;
  info: unknown;
  createdAt: Date;
}

const MARK_EVERY_MS = 60_000;
const MOST_MARKS = 10_000;

/** What jobs shared: by key, by link. What is read here is marked as read once a minute, so that it stays longest. */
export class SharedArtifacts {
  readonly #store: Store;
  readonly #log: Log;
  readonly #read = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
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
    const found = await this.#store.linked(link);
    if (!found) return undefined;
    this.#mark(found.key);
    return { ...found, info: JSON.parse(found.info), createdAt: new Date(found.createdAt) };
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
