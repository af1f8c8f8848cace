// The live feed: an in-memory ring of what changed in this process, sent as server-sent events. Ids let a reader resume
// after a cut; one that was away for longer than the ring remembers gets `reset` and loads everything anew.

import { randomUUID } from "node:crypto";
import { stateOf } from "../job/job.ts";
import type { Change } from "../submit/changes.ts";

const RING = 2_048;
const MOST_WAITING = 512;
const BEAT_MS = 15_000;

interface Entry {
  readonly number: number;
  readonly tenant: string | undefined;
  readonly text: string;
}

export class LiveFeed {
  /** New with every process, so that an id of another one is not taken for ours. */
  readonly #epoch = randomUUID().slice(0, 8);
  readonly #ring: Entry[] = [];
  readonly #readers = new Set<Reader>();
  #number = 0;

  constructor(listen: (listener: (change: Change) => void) => () => void) {
    listen((change) => this.#add(change));
  }

  /** `tenant` undefined: all of them. */
  open(tenant: string | undefined, lastId: string | undefined, signal: AbortSignal): Response {
    const reader = new Reader(tenant, () => this.#readers.delete(reader));
    const missed = this.#since(lastId);
    if (missed === "reset") reader.send(`id: ${this.#epoch}-${this.#number}\nevent: reset\ndata: {}\n\n`);
    else for (const entry of missed) reader.offer(entry);
    this.#readers.add(reader);
    signal.addEventListener("abort", () => reader.close(), { once: true });
    return new Response(reader.stream, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
    });
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
  }

  #since(lastId: string | undefined): Entry[] | "reset" {
    if (lastId === undefined) return "reset";
    const [epoch, text] = lastId.split("-");
    const number = Number(text);
    const oldest = this.#ring[0]?.number ?? this.#number + 1;
    if (epoch !== this.#epoch || !Number.isInteger(number) || number > this.#number || number < oldest - 1)
      return "reset";
    return this.#ring.filter((entry) => entry.number > number);
  }

  #add(change: Change): void {
    const number = ++this.#number;
    const entry: Entry = {
      number,
      tenant: change.type === "job" ? change.tenant : undefined,
      text: `id: ${this.#epoch}-${number}\nevent: ${change.type}\ndata: ${JSON.stringify(dataOf(change))}\n\n`,
    };
    this.#ring.push(entry);
    if (this.#ring.length > RING) this.#ring.shift();
    for (const reader of this.#readers) reader.offer(entry);
  }
}

function dataOf(change: Change): Record<string, unknown> {
  if (change.type !== "job") return {};
  const { type: _type, standing, ...job } = change;
  return { ...job, state: stateOf(standing) };
}

/** A slow reader is not waited for: past a bound it is told to load anew, and what it missed is dropped. */
class Reader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #tenant: string | undefined;
  readonly #ended: () => void;
  readonly #encoder = new TextEncoder();
  readonly #beat: NodeJS.Timeout;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #behind = false;
  #closed = false;

  constructor(tenant: string | undefined, ended: () => void) {
    this.#tenant = tenant;
    this.#ended = ended;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#caughtUp(),
        cancel: () => this.close(),
      },
      new CountQueuingStrategy({ highWaterMark: MOST_WAITING }),
    );
    this.#beat = setInterval(() => this.send(": still here\n\n"), BEAT_MS);
  }

  offer(entry: Entry): void {
    if (entry.tenant !== undefined && this.#tenant !== undefined && entry.tenant !== this.#tenant) return;
    this.send(entry.text);
  }

  send(text: string): void {
    if (this.#closed || this.#behind) return;
    if ((this.#controller.desiredSize ?? 0) <= 0) {
      this.#behind = true;
      return;
    }
    this.#controller.enqueue(this.#encoder.encode(text));
  }

  #caughtUp(): void {
    if (!this.#behind) return;
    this.#behind = false;
    this.send("event: reset\ndata: {}\n\n");
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#beat);
    this.#ended();
    try {
      this.#controller.close();
    } catch {
      // The other side has closed it already.
    }
  }
}
