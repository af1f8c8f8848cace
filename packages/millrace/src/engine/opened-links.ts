import type { OpenedLink } from "../job/opened-link.ts";
import type { Clock } from "../lib/clock.ts";

export interface OpenedLinksOptions {
  readonly clock: Clock;
  /** How long an unread artifact is kept in the store, in milliseconds; 0 means for ever. */
  readonly keepMs: number;
  readonly maxBytes?: number;
}

interface CachedLink {
  readonly opened: OpenedLink;
  readonly until: number;
}

const MAX_BYTES = 32 * 2 ** 20;
/** An artifact that the store has deleted is still served for this long. Its bytes never change. */
const FRESH_MS = 10_000;
/** The share of one file at most, so that it does not push out a hundred small ones. */
const LARGEST_SHARE = 8;

/**
 * The artifacts behind the most requested links, in memory. Every reader of a page requests its pictures, and the way
 * to the store and back costs more than the answer. The least recently requested one is dropped first.
 */
export class OpenedLinks {
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #maxBytes: number;
  /** The links, in the order in which they were requested. */
  readonly #held = new Map<string, CachedLink>();
  readonly #opening = new Map<string, Promise<OpenedLink | undefined>>();
  #bytes = 0;

  constructor({ clock, keepMs, maxBytes = MAX_BYTES }: OpenedLinksOptions) {
    this.#clock = clock;
    this.#freshMs = keepMs > 0 ? Math.min(keepMs, FRESH_MS) : FRESH_MS;
    this.#maxBytes = maxBytes;
  }

  /** Concurrent requests for the same link share one read of the store. */
  async get(link: string, read: (link: string) => Promise<OpenedLink | undefined>): Promise<OpenedLink | undefined> {
    const held = this.#held.get(link);
    if (held !== undefined) {
      this.#drop(link, held);
      if (this.#clock.monotonic() < held.until) {
        this.#keep(link, held);
        return held.opened;
      }
    }
    const underWay = this.#opening.get(link);
    if (underWay !== undefined) return underWay;
    const asked = this.#read(link, read).finally(() => this.#opening.delete(link));
    this.#opening.set(link, asked);
    return asked;
  }

  async #read(link: string, read: (link: string) => Promise<OpenedLink | undefined>): Promise<OpenedLink | undefined> {
    const until = this.#clock.monotonic() + this.#freshMs;
    const opened = await read(link);
    if (opened !== undefined) this.#keep(link, { opened, until });
    return opened;
  }

  #keep(link: string, held: CachedLink): void {
    const size = held.opened.bytes.byteLength;
    if (size > this.#maxBytes / LARGEST_SHARE) return;
    this.#held.set(link, held);
    this.#bytes += size;
    for (const [oldest, each] of this.#held) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest, each);
    }
  }

  #drop(link: string, { opened }: CachedLink): void {
    this.#held.delete(link);
    this.#bytes -= opened.bytes.byteLength;
  }
}
