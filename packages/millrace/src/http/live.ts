// The live feed: an in-memory ring of what changed in this process, sent as server-sent events. Ids let a reader resume
// after a cut. A reader has a position in the ring and nothing else: what it has not taken yet is kept once for all, so slow
// readers cost nothing. A reader that falls behind the ring gets `reset` and loads everything again.

import { randomUUID } from "node:crypto";
import type { Change } from "../events/change.ts";
import { stateOf } from "../job/job.ts";

const RING = 2_048;
const MOST_AT_ONCE = 128;
const BEAT_MS = 15_000;
const BEAT = new TextEncoder().encode(": still here\n\n");

export const FEED_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** An event of a workload, for the readers of one tenant. */
interface WorkloadEvent {
  readonly type: "workload";
  readonly event: string;
  readonly data: unknown;
  readonly tenant: string;
}

type Entry = Change | WorkloadEvent;

export class LiveFeed {
  /**
   * A part of each id that is new with every process, so that an id of another process is not accepted as one of ours.
   */
  readonly #epoch = randomUUID().slice(0, 8);
  /** Entry number n stands at n modulo the size. */
  readonly #ring: Entry[] = [];
  /** The texts of those entries in the ring that were read before. */
  readonly #texts: (string | undefined)[] = [];
  readonly #readers = new Set<Reader>();
  readonly #encoder = new TextEncoder();
  #last = 0;
  #shared: { asked: { position: number | undefined; last: number } & Audience; taken: LiveChunk } = {
    asked: { position: 0, tenant: undefined, withPools: false, last: 0 },
    taken: { position: 0, bytes: new Uint8Array(0) },
  };
  readonly #unlisten: () => void;
  #closed = false;

  constructor(listen: (listener: (change: Change) => void) => () => void) {
    this.#unlisten = listen((change) => this.#add(change));
  }

  open(audience: Audience, lastId: string | undefined, signal: AbortSignal): Response {
    const reader = new Reader({
      position: this.#positionOf(lastId),
      take: (position) => this.#readFrom(position, audience),
      ended: () => this.#readers.delete(reader),
    });
    this.#readers.add(reader);
    signal.addEventListener("abort", () => reader.close(), { once: true });
    if (this.#closed || signal.aborted) reader.close();
    return new Response(reader.stream, { headers: FEED_HEADERS });
  }

  /** Adds an event of a workload, for readers of the tenant. */
  readonly emit = (event: string, data: unknown, { tenant }: { readonly tenant: string }): void => {
    this.#add({ type: "workload", event, data, tenant });
  };

  close(): void {
    this.#closed = true;
    this.#unlisten();
    for (const reader of this.#readers) reader.close();
  }

  /** The number of the entry that this id names. Undefined: the id is not one of ours. */
  #positionOf(lastId: string | undefined): number | undefined {
    const [, epoch, digits] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(lastId ?? "") ?? [];
    const number = Number(digits);
    return epoch === this.#epoch && number <= this.#last ? number : undefined;
  }

  /**
   * A part of what comes after this position for a tenant. Readers keep pace with each other, so the last answer fits
   * most of them.
   */
  #readFrom(position: number | undefined, audience: Audience): LiveChunk {
    const { asked } = this.#shared;
    const isSame = asked.tenant === audience.tenant && asked.withPools === audience.withPools;
    if (!isSame || asked.position !== position || asked.last !== this.#last) {
      this.#shared = { asked: { ...audience, position, last: this.#last }, taken: this.#read(position, audience) };
    }
    return this.#shared.taken;
  }

  #read(position: number | undefined, { tenant, withPools }: Audience): LiveChunk {
    if (position === undefined || position < this.#last - RING) {
      const text = `id: ${this.#epoch}-${this.#last}\nevent: reset\ndata: {}\n\n`;
      return { position: this.#last, bytes: this.#encoder.encode(text) };
    }
    let text = "";
    let number = position;
    for (let taken = 0; number < this.#last && taken < MOST_AT_ONCE; ) {
      const change = this.#ring[++number % RING] as Entry;
      const isOfTenant = change.type === "job" || change.type === "workload";
      if (isOfTenant && tenant !== undefined && change.tenant !== tenant) continue;
      if (change.type === "pool" && !withPools) continue;
      text += this.#textOf(number, change);
      taken++;
    }
    return { position: number, bytes: this.#encoder.encode(text) };
  }

  #textOf(number: number, change: Entry): string {
    const position = number % RING;
    const event = change.type === "workload" ? change.event : change.type;
    this.#texts[position] ??= `id: ${this.#epoch}-${number}\nevent: ${event}\ndata: ${dataOf(change)}\n\n`;
    return this.#texts[position];
  }

  /** Adds an entry. It runs for every change of a job, so an entry becomes text only when a reader takes it. */
  #add(change: Entry): void {
    const position = ++this.#last % RING;
    this.#ring[position] = change;
    this.#texts[position] = undefined;
    for (const reader of this.#readers) reader.wake();
  }
}

function dataOf(change: Entry): string {
  if (change.type === "elsewhere") return "{}";
  if (change.type === "workload") return JSON.stringify(change.data ?? null);
  if (change.type === "pool") {
    const { type: _type, ...pool } = change;
    return JSON.stringify(pool);
  }
  const { type: _type, standing, ...job } = change;
  return JSON.stringify({ ...job, state: stateOf(standing) });
}

/** The audience of one reader. */
export interface Audience {
  /** Undefined: jobs of all tenants. */
  readonly tenant: string | undefined;
  /** Pools work for every tenant, so what they do is for the administrator. */
  readonly withPools: boolean;
}

interface LiveChunk {
  readonly position: number;
  /**
   * The chunk. All readers who read the same share it, so that what waits to be sent to a hundred readers is in memory
   * once.
   */
  readonly bytes: Uint8Array;
}

interface ReaderOptions {
  readonly position: number | undefined;
  readonly take: (position: number | undefined) => LiveChunk;
  readonly ended: () => void;
}

/** A reader of the feed. It gives more only when it is asked for more, which a client that does not read never does. */
class Reader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #options: ReaderOptions;
  readonly #beat: NodeJS.Timeout;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #position: number | undefined;
  #beatDue = false;
  /** Set while the reader waits for the next entry. */
  #wanted: (() => void) | undefined;
  #closed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#position = options.position;
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
    this.#beat = setInterval(() => {
      this.#beatDue = true;
      this.wake();
    }, BEAT_MS);
  }

  /** Call this when there is something new. */
  wake(): void {
    if (this.#wanted && this.#give()) this.#wanted();
  }

  #pull(): Promise<void> | undefined {
    if (this.#closed || this.#give()) return undefined;
    return new Promise((resolve) => {
      this.#wanted = () => {
        this.#wanted = undefined;
        resolve();
      };
    });
  }

  #give(): boolean {
    const { position, bytes } = this.#options.take(this.#position);
    this.#position = position;
    const beatDue = this.#beatDue;
    this.#beatDue = false;
    if (bytes.length > 0) this.#controller.enqueue(bytes);
    else if (beatDue) this.#controller.enqueue(BEAT);
    return bytes.length > 0 || beatDue;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#beat);
    this.#options.ended();
    try {
      this.#controller.close();
    } catch {
      // The other side has closed the stream already.
    }
    this.#wanted?.();
  }
}
