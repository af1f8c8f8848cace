// Reading a stream while it grows. Readers that are at the same place share one read of the store, so that a thousand readers of
// one answer cost about as much as one. Entries that a reader has taken are not kept.

import { stateOf } from "../../job/job.ts";
import type { StreamEvent, StreamOptions, StreamView } from "../../job/report/stream-event.ts";
import { AppError } from "../../lib/app-error.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { anything, whole } from "../../lib/options/option.ts";
import type { Store } from "../../store/store.ts";
import type { StreamPage } from "../../store/verbs/streams.ts";
import { checkJobId, checkNamed } from "../job-ids.ts";
import { jobNotFound } from "../look/job-not-found.ts";
import type { JobWatch } from "./job-watch.ts";

const STREAM: OptionBag = { what: "stream", options: { after: whole(0, Number.MAX_SAFE_INTEGER), signal: anything() } };
/** A page is half a megabyte at most, mostly far less. */
const MOST_SHARED = 32;

export class StreamReads {
  readonly #store: Store;
  readonly #watch: JobWatch;
  /** Reads under way or just done, by job, place, number of changes, and stream. */
  readonly #shared = new Map<string, Promise<StreamPage | undefined>>();

  constructor(store: Store, watch: JobWatch) {
    this.#store = store;
    this.#watch = watch;
  }

  async list(jobId: string): Promise<StreamView[]> {
    const streams = await this.#store.streams(checkJobId(jobId));
    return streams.map(({ name, last, bytes, createdAt }) => ({
      name,
      last,
      bytes,
      createdAt: new Date(createdAt).toISOString(),
    }));
  }

  /** The next entries after a place. Undefined: the job does not exist. */
  async read(jobId: string, name: string, after: number): Promise<StreamPage | undefined> {
    const key = `${jobId} ${after} ${this.#watch.changesOf(jobId)} ${name}`;
    const shared = this.#shared.get(key);
    if (shared !== undefined) return shared;
    const reading = this.#store.readStream(checkJobId(jobId), checkNamed("a stream", name), after);
    if (this.#shared.size >= MOST_SHARED) this.#shared.delete(this.#shared.keys().next().value as string);
    this.#shared.set(key, reading);
    const forget = () => {
      if (this.#shared.get(key) === reading) this.#shared.delete(key);
    };
    // Readers are woken together, so those that share a read ask for it within this time.
    reading.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    return reading;
  }

  /** Calls back when there may be more to read. */
  watch(jobId: string, changed: () => void): () => void {
    return this.#watch.watch(jobId, changed);
  }

  /** All events of a stream, until it ends. */
  async *follow(jobId: string, name: string, options: StreamOptions = {}): AsyncGenerator<StreamEvent, void> {
    checkOptions(STREAM, options);
    const { after = 0, signal } = options;
    const bell = new Bell(signal);
    const stop = this.watch(jobId, () => bell.ring());
    try {
      for (let place = after; ; ) {
        bell.reset();
        const page = await this.read(jobId, name, place);
        if (!page && place === after) throw jobNotFound();
        for (const entry of page?.entries ?? []) {
          place = entry.number;
          yield entry.type === "chunk"
            ? { type: "chunk", id: entry.number, value: JSON.parse(entry.data) }
            : { type: "restart", id: entry.number, keep: entry.keep };
        }
        if (!page) return yield { type: "end", id: place + 1, state: "deleted" };
        if (page.isEnd) return yield { type: "end", id: place + 1, state: stateOf(page.standing) as EndState };
        if (page.entries.length === 0) await bell.rung();
      }
    } finally {
      stop();
      bell.end();
    }
  }
}

type EndState = Extract<StreamEvent, { type: "end" }>["state"];

const SHARED_MS = 5;

/** Lets one reader wait for a change, and notices one that comes while it does not wait. */
class Bell {
  readonly #signal: AbortSignal | undefined;
  #hasRung = false;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener("abort", this.ring);
  }

  readonly ring = (): void => {
    this.#hasRung = true;
    this.#wake?.();
  };

  reset(): void {
    this.#hasRung = false;
    this.#throwIfAborted();
  }

  async rung(): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    this.#throwIfAborted();
  }

  end(): void {
    this.#signal?.removeEventListener("abort", this.ring);
  }

  #throwIfAborted(): void {
    if (!this.#signal?.aborted) return;
    throw this.#signal.reason ?? new AppError("stopping", "The reader was stopped.");
  }
}
