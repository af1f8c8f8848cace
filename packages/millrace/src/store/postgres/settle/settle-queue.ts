// Attempts that end while a settlement is under way share the next one. Endings that came in one message stay together: a promise
// for each would cost more than writing it.

import type { SettleAnswer } from "../../verbs/attempts.ts";
import type { Args } from "../../verbs/table.ts";
import type { Core } from "../core.ts";
import { Group } from "../thread/group.ts";
import { type Ending, endingOf } from "./ending.ts";
import { isQuick, settle } from "./settle.ts";

/** About the time of a settlement. Two small settlements side by side cost a fifth more than one after the other. */
const GATHER_MS = 10;
/** Endings that are settled row by row need several statements each, so that a transaction has half as many of them. */
const PART = 250;
const WEIGHT = 2;

/** Endings that are settled in one transaction; those that must be looked at again in a second one. */
export interface Part {
  /** The index of its first ending among all of the message. */
  from: number;
  endings: Ending[];
  weight: number;
}

export class SettleQueue {
  readonly #core: Core;
  readonly #group: Group<Ending[], SettleAnswer[]>;

  constructor(core: Core) {
    this.#core = core;
    this.#group = new Group(
      async (asks) => {
        const answers = await settle(core, asks.flat());
        return asks.map((ask) => answers.splice(0, ask.length));
      },
      { gatherMs: GATHER_MS },
    );
  }

  async settle(...args: Args<"settle">): Promise<SettleAnswer> {
    const [answer] = await this.ask({ endings: [endingOf(this.#core, ...args)], weight: 1 });
    return answer as SettleAnswer;
  }

  /** The parts in which the calls of one message are settled. */
  partsOf(calls: readonly Args<"settle">[]): Part[] {
    const endings = calls.map((args) => endingOf(this.#core, ...args));
    if (endings.every((ending) => isQuick(this.#core, ending))) return [{ from: 0, endings, weight: endings.length }];
    const parts: Part[] = [];
    for (let from = 0; from < endings.length; from += PART) {
      const part = endings.slice(from, from + PART);
      parts.push({ from, endings: part, weight: part.length * WEIGHT });
    }
    return parts;
  }

  ask({ endings, weight }: Pick<Part, "endings" | "weight">): Promise<SettleAnswer[]> {
    return this.#group.ask(endings, weight);
  }
}
