// What ends while a settle is under way shares the next one. Endings that came in one message travel together from here on: a
// promise for each would cost more than to write it.

import type { Settled } from "../store.ts";
import type { Core } from "./core.ts";
import type { Ending } from "./ending.ts";
import { Group } from "./group.ts";
import { settle } from "./settle.ts";

/** About what a settle takes: two small ones side by side cost a fifth more than one after the other. */
const GATHER_MS = 10;

export class Settles {
  readonly #group: Group<Ending[], Settled[]>;

  constructor(core: Core) {
    this.#group = new Group(
      async (asks) => {
        const answers = await settle(core, asks.flat());
        return asks.map((ask) => answers.splice(0, ask.length));
      },
      { gatherMs: GATHER_MS },
    );
  }

  ask(endings: Ending[]): Promise<Settled[]> {
    return this.#group.ask(endings, endings.length);
  }
}
