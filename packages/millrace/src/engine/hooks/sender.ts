import type { Events } from "../../events/events.ts";
import type { JobNews } from "../../job/report/job-news.ts";
import { messageOf } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { BATCH_CHARS, BATCH_MS, batchName, pack } from "./batch.ts";
import { changeRoster, ENTRY_MS, RENEW_MS, type Roster } from "./roster.ts";

export interface SenderOptions {
  /** The name of this process among those of the store. */
  process: string;
  store: Store;
  events: Pick<Events, "read">;
  clock: Clock;
  log: Log;
}

const SEND_MS = 100;
const TELL_DROPPED_MS = 10_000;
/** News beyond this is dropped: a store that is slow must not fill the memory. */
const MOST_WAITING_CHARS = 8 * 1_048_576;

interface WantedNews {
  readonly names: ReadonlySet<string>;
  /** The wanted kinds. Undefined: all kinds. */
  readonly kinds: ReadonlySet<string> | undefined;
}

interface PendingNews extends Pick<JobNews, "name" | "kind"> {
  readonly text: string;
}

/** Sends news of this process to the others, if one of them wants it. */
export class Sender {
  readonly #options: SenderOptions;
  /** "unknown": the roster was not read yet, so news is kept. Undefined: no process wants news. */
  #wanted: WantedNews | "unknown" | undefined = "unknown";
  #unread: (() => void) | undefined;
  #waiting: PendingNews[] = [];
  #waitingChars = 0;
  #dropped = 0;
  #toldDroppedAt = Number.NEGATIVE_INFINITY;
  #number = 0;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#unread = this.#options.events.read((news) => this.#add(news));
  }

  /** Takes in the roster that was just read. */
  learn({ readers }: Roster): void {
    const others = Object.entries(readers).flatMap(([process, each]) =>
      process === this.#options.process ? [] : [each],
    );
    const isFirst = this.#wanted === "unknown";
    if (others.length === 0) return this.#rest();
    this.#wanted = {
      names: new Set(others.flatMap(({ names }) => names)),
      kinds: others.some(({ kinds }) => kinds === null)
        ? undefined
        : new Set(others.flatMap(({ kinds }) => kinds ?? [])),
    };
    this.#unread ??= this.#options.events.read((news) => this.#add(news));
    if (!isFirst) return;
    this.#waiting = this.#waiting.filter((each) => this.#isWanted(each));
    this.#waitingChars = this.#waiting.reduce((chars, { text }) => chars + text.length, 0);
    this.#plan();
  }

  #rest(): void {
    this.#wanted = undefined;
    this.#unread?.();
    this.#unread = undefined;
    this.#waiting = [];
    this.#waitingChars = 0;
  }

  #isWanted({ name, kind }: Pick<JobNews, "name" | "kind">): boolean {
    const wanted = this.#wanted;
    if (wanted === undefined || wanted === "unknown") return wanted === "unknown";
    return wanted.names.has(name) && (wanted.kinds?.has(kind) ?? true);
  }

  #add(news: JobNews): void {
    if (!this.#isWanted(news)) return;
    const text = JSON.stringify(pack(news));
    if (this.#waitingChars + text.length > MOST_WAITING_CHARS) {
      this.#dropped++;
      return;
    }
    this.#waitingChars += text.length;
    this.#waiting.push({ text, name: news.name, kind: news.kind });
    this.#plan();
  }

  #plan(): void {
    if (this.#timer || this.#sending || this.#waiting.length === 0 || this.#wanted === "unknown") return;
    this.#timer = setTimeout(() => this.#send(), SEND_MS).unref();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined;
      this.#plan();
    });
  }

  /** News is worth less than work, so it is dropped if the store does not take it. */
  async #sendBatch(): Promise<void> {
    const { store, log, process } = this.#options;
    const texts = this.#drainTexts();
    try {
      await this.#announce();
      // The number grows only with the write: readers stop at a number that was not written.
      const number = this.#number + 1;
      // A `Batch`, of parts that are JSON already.
      const value = `{"number":${number},"news":[${texts.join(",")}]}`;
      await store.putRecord({ ...batchName(process, number), value, expiresInMs: BATCH_MS });
      this.#number = number;
    } catch (error) {
      this.#dropped += texts.length;
      log.debug("hook events not sent", { error: messageOf(error) });
    }
    this.#tellDropped();
  }

  #tellDropped(): void {
    const now = this.#options.clock.monotonic();
    if (this.#dropped === 0 || now - this.#toldDroppedAt < TELL_DROPPED_MS) return;
    this.#options.log.warn("hook events dropped", { events: this.#dropped });
    this.#dropped = 0;
    this.#toldDroppedAt = now;
  }

  #drainTexts(): string[] {
    const texts: string[] = [];
    let chars = 0;
    while (this.#waiting[texts.length] && chars < BATCH_CHARS) {
      const { text } = this.#waiting[texts.length] as PendingNews;
      texts.push(text);
      chars += text.length;
    }
    this.#waiting.splice(0, texts.length);
    this.#waitingChars -= chars;
    return texts;
  }

  async #announce(): Promise<void> {
    const { store, clock, process } = this.#options;
    if (clock.monotonic() - this.#announcedAt < RENEW_MS) return;
    await changeRoster(store, clock, ({ senders }) => {
      senders[process] = { number: this.#number, until: clock.now() + ENTRY_MS };
    });
    this.#announcedAt = clock.monotonic();
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    this.#unread?.();
    this.#unread = undefined;
    if (this.#wanted === "unknown") return this.#rest();
    await this.#sending;
    while (this.#waiting.length > 0) {
      this.#send();
      await this.#sending;
    }
    clearTimeout(this.#timer);
  }
}
