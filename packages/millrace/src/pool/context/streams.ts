// The streams of one attempt. Chunks are gathered and written together:
//
//   write ──▶ gathered ──50 ms, 16 kB, the end of a step or of the attempt──▶ one commit of the store
//
// A stage runs again from its top after a wait. Chunks that it wrote outside of steps come again then, and are dropped: their
// number is known. Chunks of stored steps do not come again, because those steps do not run. After a failure the store has taken
// back what the stage wrote (store/decide/streams.ts), and chunks of stored steps are shown again where the code comes to them.

import { randomUUID } from "node:crypto";
import type { JobStream } from "../../job/stream.ts";
import { AppError } from "../../lib/app-error.ts";
import type { OpenStream, StreamPart } from "../../store/verbs/streams.ts";
import type { AttemptLease } from "./attempt-lease.ts";
import { currentStep } from "./current-step.ts";
import type { AttemptPort } from "./port.ts";
import { storableText } from "./storable.ts";

const GATHER_MS = 50;
const GATHER_CHARS = 16_384;
/** A writer that is faster than the store waits from here on. */
const MOST_WAITING_CHARS = 262_144;
const MAX_CHUNK_BYTES = 262_144;
const MAX_NAME_CHARS = 100;

export class Streams {
  readonly #lease: AttemptLease;
  readonly #port: AttemptPort;
  readonly #hasStored: boolean;
  readonly #writer = randomUUID();
  readonly #streams = new Map<string, JobStream>();
  #stored: Promise<Map<string, StoredStream>> | undefined;
  #parts: StreamPart[] = [];
  #chars = 0;
  #seq = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failed: { error: unknown } | undefined;

  constructor(lease: AttemptLease, port: AttemptPort, { hasStored }: { hasStored: boolean }) {
    this.#lease = lease;
    this.#port = port;
    this.#hasStored = hasStored;
  }

  /** `track` counts the call among those that the attempt waits for. */
  open(name: string, track: (write: Promise<void>) => Promise<void>): JobStream {
    checkName(name);
    const known = this.#streams.get(name);
    if (known) return known;
    const stream: JobStream = { name, write: (chunk) => track(this.#write(name, chunk, currentStep())) };
    this.#streams.set(name, stream);
    return stream;
  }

  async #write(stream: string, chunk: unknown, step: string | undefined): Promise<void> {
    const text = storableText(chunk, `chunk of the stream "${stream}"`, MAX_CHUNK_BYTES);
    if (this.#hasStored && step === undefined) {
      const stored = (await this.#load()).get(stream);
      if (stored && stored.outside > 0) {
        stored.outside--;
        return;
      }
    }
    if (this.#lease.lost) throw this.#lease.lost;
    if (this.#failed) throw this.#failed.error;
    this.#add(stream, step, text);
    if (this.#chars >= MOST_WAITING_CHARS) await this.flush();
    else if (this.#chars >= GATHER_CHARS) void this.flush().catch(() => {});
    else this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), GATHER_MS);
  }

  #add(stream: string, step: string | undefined, chunk: string): void {
    this.#chars += chunk.length;
    const last = this.#parts.at(-1);
    if (last && "chunks" in last && last.stream === stream && last.step === step) last.chunks.push(chunk);
    else this.#parts.push({ stream, chunks: [chunk], ...(step !== undefined && { step }) });
  }

  /** Shows what a stored step wrote again, if a restart took it out of view. */
  async comeTo(step: string): Promise<void> {
    if (!this.#hasStored) return;
    for (const [stream, { hidden }] of await this.#load()) {
      if (hidden.delete(step)) this.#parts.push({ stream, show: step });
    }
  }

  /** Writes everything that is gathered. Throws if the store does not take it. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#send());
    // A failure is kept for the next call.
    this.#writing = this.#writing.catch((error) => {
      this.#failed ??= { error };
    });
    return this.#writing.then(() => {
      if (this.#failed) throw this.#failed.error;
    });
  }

  /** Drops everything, because the lease is gone and nothing more will count. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#parts = [];
  }

  async #send(): Promise<void> {
    if (this.#parts.length === 0 || this.#failed) return;
    const parts = this.#parts;
    this.#parts = [];
    this.#chars = 0;
    const answer = this.#lease.held(await this.#port.appendStreams({ writer: this.#writer, seq: ++this.#seq, parts }));
    if (typeof answer === "object") throw new AppError("stream-full", answer.refused);
  }

  /** The streams are read once: only this attempt adds to them while it has the lease. */
  #load(): Promise<Map<string, StoredStream>> {
    this.#stored ??= this.#read();
    return this.#stored;
  }

  async #read(): Promise<Map<string, StoredStream>> {
    try {
      const streams = this.#lease.held(await this.#port.openStreams()) as OpenStream[];
      return new Map(streams.map(({ name, outside, hidden }) => [name, { outside, hidden: new Set(hidden) }]));
    } catch (error) {
      this.#stored = undefined;
      throw error;
    }
  }
}

interface StoredStream {
  /** How many chunks outside of steps come again and are dropped. */
  outside: number;
  hidden: Set<string>;
}

function checkName(name: unknown): void {
  if (typeof name === "string" && name.length > 0 && name.length <= MAX_NAME_CHARS) return;
  throw new AppError("invalid-request", `The name of a stream must be a string of 1 to ${MAX_NAME_CHARS} characters.`);
}
