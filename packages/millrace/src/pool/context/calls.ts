// The calls on `ctx` that have not answered yet. Every asynchronous call goes through `track`; no other place knows of them.
//
// An attempt lasts until the processor has returned and every call that writes has ended, also one that was not awaited.
//
// A call that waits for something outside the job (a sleep, a signal, a child) belongs here too. Its promise does not settle in
// this attempt. The attempt can end as "waiting" once every call in this list is such a wait: see run/process.ts.

interface Call {
  readonly name: string;
  /** It writes, so the attempt must not end before it. */
  readonly mustFinish: boolean;
}

export class ContextCalls {
  readonly #open = new Map<Promise<unknown>, Call>();

  /**
   * The returned promise rejects on its own. So a rejection that the processor forgot to handle reaches the attempt as an
   * unhandled one.
   */
  track<T>(name: string, work: Promise<T>, { mustFinish = false }: { mustFinish?: boolean } = {}): Promise<T> {
    const tracked = work.then((value) => value);
    this.#open.set(tracked, { name, mustFinish });
    const close = () => this.#open.delete(tracked);
    work.then(close, close);
    return tracked;
  }

  /** Waits for the calls that must finish, and names those that were open. Throws the error of the first that failed. */
  async finish(): Promise<string[]> {
    const names: string[] = [];
    for (;;) {
      const owed = [...this.#open].filter(([, { mustFinish }]) => mustFinish);
      if (owed.length === 0) return names;
      names.push(...owed.map(([, { name }]) => name));
      const results = await Promise.allSettled(owed.map(([call]) => call));
      for (const result of results) if (result.status === "rejected") throw result.reason;
    }
  }
}
