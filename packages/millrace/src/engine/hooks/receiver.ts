import type { JobNews } from "../../job/report/job-news.ts";
import { messageOf } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { type Batch, batchName, isWhole, type Parcel, unpack } from "./batch.ts";
import type { Interest } from "./hooks.ts";
import { changeRoster, ENTRY_MS, RENEW_MS, readRoster } from "./roster.ts";

export interface ReceiverOptions {
  process: string;
  store: Store;
  clock: Clock;
  log: Log;
  receive(news: JobNews): void;
}

const LOOK_MS = 250;

/** Reads the news of other processes, while a hook of this one wants it. */
export class Receiver {
  readonly #options: ReceiverOptions;
  #interest: Interest | undefined;
  /** The last batch that was read of each process. */
  readonly #read = new Map<string, number>();
  #isListed = false;
  #listedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  wants(interest: Interest | undefined): void {
    if (this.#isStopped) return;
    this.#interest = interest;
    this.#listedAt = Number.NEGATIVE_INFINITY;
    if (interest === undefined && !this.#isListed) return this.#rest();
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    this.#look();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#read.clear();
  }

  #look(): void {
    this.#looking ??= this.#lookOnce()
      // A store in trouble is asked again at the next look. Batches are kept for a few seconds.
      .catch((error) => this.#options.log.debug("hook events not read", { error: messageOf(error) }))
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #lookOnce(): Promise<void> {
    const { store, clock, process } = this.#options;
    if (clock.monotonic() - this.#listedAt >= RENEW_MS) await this.#list();
    if (this.#interest === undefined) return;
    const { senders } = await readRoster(store, clock);
    for (const [sender, { number }] of Object.entries(senders)) {
      if (sender === process) continue;
      if (!this.#read.has(sender)) this.#read.set(sender, number);
      await this.#readFrom(sender);
    }
  }

  /** Adds, renews or removes this process's entry. */
  async #list(): Promise<void> {
    const { store, clock, process } = this.#options;
    const interest = this.#interest;
    const startedAt = clock.monotonic();
    await changeRoster(store, clock, ({ readers }) => {
      if (interest) readers[process] = { ...interest, until: clock.now() + ENTRY_MS };
      else delete readers[process];
    });
    this.#isListed = interest !== undefined;
    if (interest !== this.#interest) return;
    this.#listedAt = startedAt;
    if (!interest) this.#rest();
  }

  async #readFrom(sender: string): Promise<void> {
    const { store, log } = this.#options;
    for (;;) {
      const expected = (this.#read.get(sender) ?? 0) + 1;
      const record = await store.findRecord(batchName(sender, expected));
      const batch = record && (JSON.parse(record.value) as Batch);
      // There is nothing new: its place in the ring holds an older batch, or none.
      if (!batch || batch.number < expected) return;
      if (batch.number > expected) log.warn("hook events missed", { batches: batch.number - expected });
      this.#read.set(sender, batch.number);
      await this.#unpackAll(batch.news);
    }
  }

  async #unpackAll(parcels: Parcel[]): Promise<void> {
    const { store, receive } = this.#options;
    const short = parcels.filter((parcel) => !isWhole(parcel)).map(({ jobId }) => jobId);
    const found = short.length > 0 ? await store.find([...new Set(short)]) : [];
    const jobs = new Map(found.map((job) => [job.id, job]));
    for (const parcel of parcels) {
      const news = unpack(parcel, jobs.get(parcel.jobId));
      if (news) receive(news);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#interest = undefined;
    clearInterval(this.#timer);
    await this.#looking;
    if (this.#isListed) await this.#list().catch(() => {});
  }
}
