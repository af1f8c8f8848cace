import type { OpenedLink } from "../job/opened-link.ts";
import type { Clock } from "../lib/clock.ts";

export interface OpenedLinksOptions {
  readonly clock: Clock;
  /** How long one that nobody reads is kept in the store; 0: for ever. */
  readonly keepMs: number;
  readonly maxBytes?: number;
}

interface CachedLink {
  readonly opened: OpenedLink;
  readonly until: number;
}

const MAX_BYTES = 32 * 2 ** 20;
/** What the store has dropped meanwhile answers for so long more; its bytes are the same as ever. */
const FRESH_MS = 10_000;
/** One large file must not push out a hundred small ones. */
const LARGEST_SHARE = 8;

/**
 * What the links asked for most lead to, at hand: a picture in a page is asked for by everyone who opens the page, and the way
 * to the store and back costs more than the answer. Least recently asked for goes first.
 */
export class OpenedLinks {
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #maxBytes: number;
  /** In the order in which they were asked for. */
  readonly #held = new Map<string, CachedLink>();
  readonly #opening = new Map<string, Promise<OpenedLink | undefined>>();
  #bytes = 0;

  constructor({ clock, keepMs, maxBytes = MAX_BYTES }: OpenedLinksOptions) {
    this.#clock = clock;
    this.#freshMs = keepMs > 0 ? Math.min(keepMs, FRESH_MS) : FRESH_MS;
    this.#maxBytes = maxBytes;
  }

  /** Those who ask for the same link at once share one look into the store. */
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
