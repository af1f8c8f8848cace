// What ends while a settle is under way shares the next one. Endings that came in one message travel together from here on: a
// promise for each would cost more than to write it.

import type { Settled } from "../store.ts";
import type { Core } from "./core.ts";
import type { Ending } from "./ending.ts";
import { Group } from "./group.ts";
import { isQuick, knownBy, settle } from "./settle.ts";

/** About what a settle takes: two small ones side by side cost a fifth more than one after the other. */
const GATHER_MS = 10;
/** What is decided one by one has several statements for each: of those half as many are a transaction, or it outlasts its time. */
const PART = 250;
const WEIGHT = 2;

export class Settles {
  readonly #core: Core;
  readonly #group: Group<Ending[], Settled[]>;

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
  inParts<T>(items: T[], endingOf: (item: T) => Ending): Part<T>[] {
    const quick = items.every((item) => isQuick(this.#core, knownBy(this.#core, endingOf(item))));
    if (quick) return [{ items, weight: items.length }];
    const parts: Part<T>[] = [];
    for (let from = 0; from < items.length; from += PART) {
      const part = items.slice(from, from + PART);
      parts.push({ items: part, weight: part.length * WEIGHT });
    }
    return parts;
  }

  ask(endings: Ending[], weight = endings.length): Promise<Settled[]> {
    return this.#group.ask(endings, weight);
  }
}

interface Part<T> {
  items: T[];
  weight: number;
}
