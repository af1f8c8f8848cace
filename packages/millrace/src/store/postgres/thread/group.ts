// Calls that arrive during a transaction share the next one, so each commit carries more when there is more to do. Two may
// be under way, so that the server's disk is not idle while the next one is prepared, and a transaction that waits for a
// lock does not hold up the next.

import { toErrorData } from "../../../lib/app-error.ts";
import type { CallReply } from "../../thread/calls.ts";
import { classify, toAppError } from "../connection/errors.ts";
import type { Core } from "../core.ts";

const AT_ONCE = 2;
/** Large enough that the cost of a commit is spread, small enough that its first caller does not wait for its last. */
const MOST = 1_000;

export interface GroupOptions {
  atOnce?: number;
  /** The next transaction starts beside another only after this time, or once a full group has gathered. */
  gatherMs?: number;
}

interface QueuedCall<Ask, Answer> {
  ask: Ask;
  weight: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export class Group<Ask, Answer> {
  readonly #run: (asks: Ask[]) => Promise<Answer[]>;
  readonly #atOnce: number;
  readonly #gatherMs: number;
  #waiting: QueuedCall<Ask, Answer>[] = [];
  #weight = 0;
  #under = 0;
  #planned = false;
  #gathering: NodeJS.Timeout | undefined;
  #gathered = false;

  constructor(run: (asks: Ask[]) => Promise<Answer[]>, { atOnce = AT_ONCE, gatherMs = 0 }: GroupOptions = {}) {
    this.#run = run;
    this.#atOnce = atOnce;
    this.#gatherMs = gatherMs;
  }

  ask(ask: Ask, weight = 1): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, weight, resolve, reject });
      this.#weight += weight;
      this.#plan();
    });
  }

  /** Starts the next group at the end of this turn of the loop, with all calls of the turn. */
  #plan(): void {
    if (this.#planned || this.#under >= this.#atOnce || this.#gathersMore()) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      if (this.#waiting.length > 0 && this.#under < this.#atOnce) void this.#go();
    });
  }

  #gathersMore(): boolean {
    if (this.#gatherMs === 0 || this.#under === 0 || this.#gathered || this.#weight >= MOST) return false;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#gathered = true;
      if (this.#waiting.length > 0) this.#plan();
    }, this.#gatherMs);
    return true;
  }

  async #go(): Promise<void> {
    const group = this.#next();
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#gathered = false;
    this.#under++;
    try {
      await this.#carryOut(group);
    } finally {
      this.#under--;
      if (this.#waiting.length > 0) this.#plan();
    }
  }

  #next(): QueuedCall<Ask, Answer>[] {
    let weight = 0;
    let count = 0;
    for (const each of this.#waiting) {
      weight += each.weight;
      if (count > 0 && weight > MOST) break;
      count++;
    }
    const next = this.#waiting.splice(0, count);
    for (const each of next) this.#weight -= each.weight;
    return next;
  }

  /** A call that throws does not fail its neighbours: the group is rolled back and each runs alone. */
  async #carryOut(group: QueuedCall<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(group.map(({ ask }) => ask));
      group.forEach(({ resolve }, i) => {
        resolve(answers[i] as Answer);
      });
    } catch (error) {
      // The server would refuse each call as it refused the group, and it is unknown what was written.
      if (group.length === 1 || classify(error) !== "other" || toAppError(error).code !== "internal") {
        for (const { reject } of group) reject(error);
        return;
      }
      for (const each of group) {
        await this.#run([each.ask]).then(([answer]) => each.resolve(answer as Answer), each.reject);
      }
    }
  }
}

/** Makes something once for each core, when it is first asked for. */
export function onePerCore<T>(make: (core: Core) => T): (core: Core) => T {
  const made = new WeakMap<Core, T>();
  return (core) => {
    const known = made.get(core);
    if (known !== undefined) return known;
    const one = make(core);
    made.set(core, one);
    return one;
  };
}

/** Turns the end of a call into the form in which it travels back to the main thread. */
export async function replyOf(work: () => Promise<unknown>): Promise<CallReply> {
  try {
    return { ok: await work() };
  } catch (error) {
    return { error: toErrorData(toAppError(error)) };
  }
}
