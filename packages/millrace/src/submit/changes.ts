import type { Standing } from "../job/job.ts";
import type { JobNews } from "../job/report/job-news.ts";

/**
 * What `millrace.listen()` reports: a job that moved, a pool of this process that changed, or that something changed in
 * another process ("elsewhere").
 */
export type Change =
  | { type: "job"; jobId: string; tenant: string; kind: string; stage: string; standing: Standing }
  | { type: "pool"; kind: string; stage: string; size: number; busy: number; error: number; problem?: string }
  | { type: "elsewhere" };

type JobChange = Extract<Change, { type: "job" }>;
/** Called only if a hook listens: most engines have none. */
type News = () => JobNews[];

/**
 * Tells listeners what happens in this process, and costs nothing without any. The live feed hears changes, which are
 * small and say where a job stands. Hooks hear news, which have the payload and all that is known of what happened.
 */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #readers = new Set<(news: JobNews) => void>();
  readonly #claimed = new Set<string>();
  #forgetting = false;

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `reader` must not throw: it is called where jobs are claimed and settled. */
  read(reader: (news: JobNews) => void): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  get heard(): boolean {
    return this.#listeners.size > 0 || this.isRead;
  }

  get isRead(): boolean {
    return this.#readers.size > 0;
  }

  tell(change: Change, news?: News): void {
    for (const listener of this.#listeners) listener(change);
    if (news) this.report(news);
  }

  /** News that is no change of where the job stands. */
  report(news: News): void {
    if (this.#readers.size === 0) return;
    for (const each of news()) for (const reader of this.#readers) reader(each);
  }

  /** A job runs. */
  claimed(change: JobChange, news: News): void {
    this.#claimed.add(change.jobId);
    this.#forgetSoon();
    this.tell(change, news);
  }

  /**
   * A job is in the store. The answer that it is, and the answer that it was claimed, may come in one turn of the loop and be
   * heard the other way round: then the change is old, and whoever believed it would show a job that runs as waiting.
   */
  submitted(change: JobChange, news: News): void {
    if (this.#claimed.has(change.jobId)) this.report(news);
    else this.tell(change, news);
  }

  #forgetSoon(): void {
    if (this.#forgetting) return;
    this.#forgetting = true;
    setTimeout(() => {
      this.#forgetting = false;
      this.#claimed.clear();
    }, 100).unref();
  }
}
