import type { JobFeedEvent } from "../job/report/feed-event.ts";
import type { StreamPage } from "../store/verbs/streams.ts";

/** Reading jobs live, for routes: each reader takes a page when it has sent the one before. */
export interface LiveReaders {
  /** The next entries of a stream after a number. Undefined: the job does not exist. */
  readStream(jobId: string, name: string, after: number): Promise<StreamPage | undefined>;
  /** What happened to a job after the event with this id. */
  events(jobId: string, after: string | undefined): { next(): Promise<JobFeedPage | undefined> };
  /** Calls back when the job may have changed, until the returned function is called. */
  watch(jobId: string, changed: () => void): () => void;
}

export interface JobFeedPage {
  readonly events: readonly (JobFeedEvent & { readonly id: string })[];
  /** Whether the job has ended and all events were read. */
  readonly isEnd: boolean;
}
