import type { Store } from "../../store/store.ts";
import type { StreamPage } from "../../store/verbs/streams.ts";
import { JobEventReader } from "./job-events.ts";
import type { JobWatch } from "./job-watch.ts";
import type { StreamReads } from "./stream-reads.ts";

/** Live readers of jobs, for routes. A reader takes a page once it has sent the one before. */
export class JobReaders {
  readonly #store: Store;
  readonly #streams: StreamReads;
  readonly #watch: JobWatch;

  constructor(store: Store, streams: StreamReads, watch: JobWatch) {
    this.#store = store;
    this.#streams = streams;
    this.#watch = watch;
  }

  /** The next entries of a stream after a number. Undefined: the job does not exist. */
  readStream(jobId: string, name: string, after: number): Promise<StreamPage | undefined> {
    return this.#streams.read(jobId, name, after);
  }

  /** What happened to a job after the event with this id. */
  events(jobId: string, after: string | undefined): JobEventReader {
    return new JobEventReader(this.#store, jobId, after);
  }

  /** Calls back when the job may have changed, until the returned function is called. */
  watch(jobId: string, changed: () => void): () => void {
    return this.#watch.watch(jobId, changed);
  }
}
