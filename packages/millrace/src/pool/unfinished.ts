/** Steps and artifacts that a processor started and may have forgotten to await. */
export class Unfinished {
  readonly #running = new Map<Promise<unknown>, string>();

  get size(): number {
    return this.#running.size;
  }

  /** What is returned rejects on its own, so that a forgotten rejection still reaches the attempt. */
  track<T>(what: string, work: Promise<T>): Promise<T> {
    const given = work.then((value) => value);
    this.#running.set(given, what);
    const done = () => this.#running.delete(given);
    work.then(done, done);
    return given;
  }

  /** Waits for all of them and names them; throws what the first to fail threw. */
  async settle(): Promise<string[]> {
    const names = [...this.#running.values()];
    const settled = await Promise.allSettled(this.#running.keys());
    for (const each of settled) if (each.status === "rejected") throw each.reason;
    return names;
  }
}
