// Server-sent events that are read from the store. A page is read when the client has taken the one before, so a slow reader
// holds no memory. Between pages the reader waits for a word that there is more.

import { AppError, messageOf } from "../lib/app-error.ts";
import type { Log } from "../telemetry/log/log.ts";
import { FEED_HEADERS } from "./live.ts";

const BEAT_MS = 15_000;
const BEAT = ": still here\n\n";

export interface FeedSource {
  /** The next events as text; "" if there are none yet. `isEnd`: no event comes after them. */
  read(): Promise<{ text: string; isEnd: boolean }>;
  /** Calls back when there may be more to read, until the returned function is called. */
  watch(wake: () => void): () => void;
}

export interface FeedOptions {
  /** Aborted when the reader has gone or the server stops. */
  readonly signals: readonly AbortSignal[];
  readonly log: Log;
}

/** Reads the first page before the answer begins, so that a refusal has its own status. */
export async function feedResponse(source: FeedSource, options: FeedOptions): Promise<Response> {
  const feed = new Feed(source, options);
  try {
    await feed.start();
  } catch (error) {
    feed.close();
    throw error;
  }
  return new Response(feed.stream, { headers: FEED_HEADERS });
}

class Feed {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #source: FeedSource;
  readonly #options: FeedOptions;
  readonly #encoder = new TextEncoder();
  readonly #stopWatching: () => void;
  readonly #beat: NodeJS.Timeout;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #first: { text: string; isEnd: boolean } | undefined;
  #hasNews = false;
  #isBeatDue = false;
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(source: FeedSource, options: FeedOptions) {
    this.#source = source;
    this.#options = options;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    );
    this.#stopWatching = source.watch(() => {
      this.#hasNews = true;
      this.#wake?.();
    });
    this.#beat = setInterval(() => {
      this.#isBeatDue = true;
      this.#wake?.();
    }, BEAT_MS);
    for (const signal of options.signals) signal.addEventListener("abort", this.#end, { once: true });
  }

  async start(): Promise<void> {
    this.#first = await this.#source.read();
    if (this.#options.signals.some(({ aborted }) => aborted)) this.close();
  }

  async #pull(): Promise<void> {
    while (!this.#closed) {
      this.#hasNews = false;
      const page = this.#first ?? (await this.#read());
      this.#first = undefined;
      if (!page || this.#closed) return this.close();
      if (page.text !== "") this.#controller.enqueue(this.#encoder.encode(page.text));
      if (page.isEnd) return this.close();
      if (page.text !== "") return;
      await this.#news();
      if (this.#isBeatDue && !this.#closed) {
        this.#isBeatDue = false;
        return this.#controller.enqueue(this.#encoder.encode(BEAT));
      }
    }
  }

  /** A store in trouble ends the connection: the client comes back with the id of its last event. */
  async #read(): Promise<{ text: string; isEnd: boolean } | undefined> {
    try {
      return await this.#source.read();
    } catch (error) {
      this.#options.log.warn("feed ended", { error: messageOf(error) });
      return undefined;
    }
  }

  async #news(): Promise<void> {
    if (this.#hasNews || this.#isBeatDue || this.#closed) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  readonly #end = (): void => this.close();

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#beat);
    this.#stopWatching();
    for (const signal of this.#options.signals) signal.removeEventListener("abort", this.#end);
    this.#wake?.();
    try {
      this.#controller.close();
    } catch {
      // The other side has closed the stream already.
    }
  }
}

/** One event as text. The data is on one line. */
export function eventText(id: string | number, event: string, data: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/**
 * The id of the last event that the reader has, from the header, or from the query of a reader that cannot send one.
 */
export function lastEventId(request: Request, query: { lastEventId?: string | undefined }): string | undefined {
  return request.headers.get("last-event-id") ?? query.lastEventId ?? undefined;
}

export function positionAfter(lastId: string | undefined): number {
  if (lastId === undefined) return 0;
  const place = Number(lastId);
  if (Number.isSafeInteger(place) && place >= 0) return place;
  throw new AppError("invalid-request", "Last-Event-ID must be the id of an event of this stream.");
}
