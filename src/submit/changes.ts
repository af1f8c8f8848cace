import type { Standing } from "../job/job.ts";

/** What listeners hear of: a job that moved, or that something changed in another process. */
export type Change =
  | { type: "job"; jobId: string; tenant: string; kind: string; stage: string; standing: Standing }
  | { type: "elsewhere" };

/** Tells whoever listens; costs nothing while nobody does. */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>();

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
}
