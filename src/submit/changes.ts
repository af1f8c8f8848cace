import type { Standing } from "../job/job.ts";

/** What listeners hear of: a job that moved, a pool of this process that did, or that something changed in another process. */
export type Change =
  | { type: "job"; jobId: string; tenant: string; kind: string; stage: string; standing: Standing }
  | { type: "pool"; kind: string; stage: string; size: number; busy: number; error: number; problem?: string }
  | { type: "elsewhere" };

/** Tells whoever listens; costs nothing while nobody does. */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #claimed = new Set<string>();
  #forgetting = false;

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get heard(): boolean {
    return this.#listeners.size > 0;
  }

  tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** A job runs. */
  claimed(change: Extract<Change, { type: "job" }>): void {
    this.#claimed.add(change.jobId);
    this.#forgetSoon();
    this.tell(change);
  }

  /**
   * A job is in the store. The answer that it is, and the answer that it was claimed, may come in one turn of the loop and be
   * heard the other way round: then the first is old news, and whoever believed it would show a job that runs as waiting.
   */
  submitted(change: Extract<Change, { type: "job" }>): void {
    if (!this.#claimed.has(change.jobId)) this.tell(change);
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
