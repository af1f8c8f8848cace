// The one way by which parts of the engine tell each other what happened:
//
//   intake, pools, control, upkeep, store ──emit──▶ Events ──▶ metrics, log, waiters, pools   (every event, as it is)
//                                                     ├──────▶ live feed                     (as a Change)
//                                                     └──────▶ hooks                         (as JobNews)
//
// Listeners are called where jobs are claimed and settled, so they must be fast and must not throw. Changes and news are made
// only if they have a listener, because most engines have no hooks.

import type { JobNews } from "../job/report/job-news.ts";
import { type Change, changesOf } from "./change.ts";
import type { EngineEvent } from "./event.ts";
import { newsOf } from "./news.ts";

export class Events {
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #feeds = new Set<(change: Change) => void>();
  readonly #readers = new Set<(news: JobNews) => void>();
  readonly #claims = new RecentClaims();

  /** Hears every event. */
  on(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hears changes: for the live feed. */
  listen(feed: (change: Change) => void): () => void {
    this.#feeds.add(feed);
    return () => this.#feeds.delete(feed);
  }

  /** Hears news: for hooks. */
  read(reader: (news: JobNews) => void): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  get hasFeed(): boolean {
    return this.#feeds.size > 0;
  }

  /** Whether news has a listener. An event that only hooks hear need not be emitted otherwise: it may cost a query. */
  get hasReader(): boolean {
    return this.#readers.size > 0;
  }

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
    if (this.#feeds.size > 0) this.#feed(event);
    if (this.#readers.size > 0) for (const news of newsOf(event)) for (const reader of this.#readers) reader(news);
  }

  #feed(event: EngineEvent): void {
    if (event.type === "claimed") for (const { lease } of event.jobs) this.#claims.add(lease.jobId);
    for (const change of changesOf(event)) {
      if (event.type === "submitted" && change.type === "job" && this.#claims.has(change.jobId)) continue;
      for (const feed of this.#feeds) feed(change);
    }
  }
}

/**
 * Jobs that were claimed within the last 100 ms. The answers to a submission and to the claim of its job may arrive in one turn
 * of the event loop, in either order. The feed must not show a job as waiting that already runs.
 */
class RecentClaims {
  readonly #jobIds = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  add(jobId: string): void {
    this.#jobIds.add(jobId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#jobIds.clear();
    }, 100).unref();
  }

  has(jobId: string): boolean {
    return this.#jobIds.has(jobId);
  }
}
