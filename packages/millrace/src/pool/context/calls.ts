// The calls on `ctx` that have not answered yet. Every asynchronous call goes through `track` or `wait`; no other place knows of
// them.
//
// An attempt lasts until the processor has returned and every call that writes has ended, also one that was not awaited. It is
// suspended when all calls that are open wait for something outside of the job:
//
//   some work is open ──it ends──▶ only waits are open ──the loop turns once without a new call──▶ suspended
//          ▲                              │
//          └──────── a new call ──────────┘

import type { NewWait } from "../../job/wait.ts";
import { waitKey } from "../../workflow/wait-key.ts";

interface Call {
  readonly name: string;
  /** Whether it writes, so that the attempt must not end before it. */
  readonly mustFinish: boolean;
}

export class ContextCalls {
  readonly #open = new Map<Promise<unknown>, Call>();
  readonly #waits = new Map<string, NewWait>();
  readonly #suspend: (waits: NewWait[]) => void;
  readonly #warn: (lateCalls: readonly string[]) => void;
  /** How often the attempt has made each call. */
  readonly #made = new Map<string, number>();
  /** The attempt is not suspended before it has made these. */
  readonly #toReach = new Set<string>();
  #begun = 0;
  #isChecking = false;
  #isSuspended = false;

  /** `suspend` is called once, with all open waits, when the attempt can do nothing but wait for them. */
  constructor(suspend: (waits: NewWait[]) => void, warn: (lateCalls: readonly string[]) => void = () => {}) {
    this.#suspend = suspend;
    this.#warn = warn;
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /**
   * Names a call of the processor. The second one with the same words is `ctx.sleep("nap") #2`: a late call is
   * recognised by that.
   */
  come(call: string): string {
    const count = (this.#made.get(call) ?? 0) + 1;
    this.#made.set(call, count);
    const own = numbered(call, count);
    this.#toReach.delete(own);
    return own;
  }

  /**
   * The returned promise rejects on its own. So a rejection that the processor forgot to handle reaches the attempt as an
   * unhandled one.
   */
  track<T>(name: string, work: Promise<T>, { mustFinish = false }: { mustFinish?: boolean } = {}): Promise<T> {
    this.#begun++;
    const tracked = work.then((value) => value);
    this.#open.set(tracked, { name, mustFinish });
    const close = () => {
      this.#open.delete(tracked);
      if (this.#waits.size > 0) this.#check();
    };
    work.then(close, close);
    return tracked;
  }

  /** Adds a wait without an answer. The returned promise does not settle in this attempt. */
  wait<T>(wait: NewWait): Promise<T> {
    this.#begun++;
    this.#waits.set(waitKey(wait), wait);
    this.#check();
    return new Promise<T>(() => {});
  }

  /** Names calls that came too late in the attempt before, which was suspended without them. */
  mustReach(calls: readonly string[]): void {
    const made = new Set([...this.#made].flatMap(([call, count]) => namesUpTo(call, count)));
    for (const call of calls) if (!made.has(call)) this.#toReach.add(call);
    this.#warn(calls);
  }

  /** Ends waits that lost a race. */
  stopWaiting(keys: Iterable<string>): void {
    for (const key of keys) this.#waits.delete(key);
  }

  /** A caller that was answered at once may make its next call in this turn of the loop, so the check comes after it. */
  #check(): void {
    if (this.#isChecking || this.#isSuspended || !this.#isQuiet) return;
    this.#isChecking = true;
    const begun = this.#begun;
    setImmediate(() => {
      this.#isChecking = false;
      if (!this.#isQuiet || this.#isSuspended) return;
      if (this.#begun !== begun) return this.#check();
      this.#isSuspended = true;
      this.#suspend([...this.#waits.values()]);
    });
  }

  get #isQuiet(): boolean {
    return this.#open.size === 0 && this.#waits.size > 0 && this.#toReach.size === 0;
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

function numbered(call: string, count: number): string {
  return count === 1 ? call : `${call} #${count}`;
}

function namesUpTo(call: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => numbered(call, i + 1));
}
