// What ends while a settle is under way shares the next one. Endings that came in one message travel together from here on: a
// promise for each would cost more than to write it.

import type { SettleAnswer } from "../../verbs/attempts.ts";
import type { Core } from "../core.ts";
import { Group } from "../thread/group.ts";
import type { Ending, Known } from "./ending.ts";
import { isQuick, knownBy, settle } from "./settle.ts";

/** About what a settle takes: two small ones side by side cost a fifth more than one after the other. */
const GATHER_MS = 10;
/** What is decided one by one has several statements for each: of those half as many are a transaction, or it outlasts its time. */
const PART = 250;
const WEIGHT = 2;

export class Settles {
  readonly #core: Core;
  readonly #group: Group<Known[], SettleAnswer[]>;

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

  /** Each part is a transaction of its own, and where some must be looked at again, a second one. */
  inParts(endings: Ending[]): Part[] {
    const known = endings.map((ending) => knownBy(this.#core, ending));
    if (known.every((ending) => isQuick(this.#core, ending)))
      return [{ from: 0, endings: known, weight: known.length }];
    const parts: Part[] = [];
    for (let from = 0; from < known.length; from += PART) {
      const part = known.slice(from, from + PART);
      parts.push({ from, endings: part, weight: part.length * WEIGHT });
    }
    return parts;
  }

  ask({ endings, weight }: Pick<Part, "endings" | "weight">): Promise<SettleAnswer[]> {
    return this.#group.ask(endings, weight);
  }

  async askOne(ending: Ending): Promise<SettleAnswer> {
    const [settled] = await this.ask({ endings: [knownBy(this.#core, ending)], weight: 1 });
    return settled as SettleAnswer;
  }
}

export interface Part {
  /** The place of its first among all. */
  from: number;
  endings: Known[];
  weight: number;
}
