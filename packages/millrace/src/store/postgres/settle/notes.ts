/**
 * Notes under way, by job. A note and the settle behind it travel on different connections: if the settle did not wait,
 * it could end the lease first, and the job's last log lines would be refused.
 */
export class NotesUnderWay {
  readonly #byJob = new Map<number, Set<Promise<unknown>>>();

  track<T>(key: number, note: Promise<T>): Promise<T> {
    const notes = this.#byJob.get(key) ?? new Set();
    this.#byJob.set(key, notes.add(note));
    const forget = () => {
      notes.delete(note);
      if (notes.size === 0) this.#byJob.delete(key);
    };
    note.then(forget, forget);
    return note;
  }

  get any(): boolean {
    return this.#byJob.size > 0;
  }

  /** Resolves when these jobs' notes are written, or have failed. */
  async ended(keys: readonly number[]): Promise<void> {
    await Promise.allSettled(keys.flatMap((key) => [...(this.#byJob.get(key) ?? [])]));
  }
}
