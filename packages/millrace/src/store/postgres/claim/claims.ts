// A large pool claims in parts. What it asks for while a claim of the same stage is under way shares the next one: side by
// side they would only step over the rows that the others lock.

import type { Claimed, ClaimRequest } from "../../store.ts";
import type { Core } from "../core.ts";
import { Group } from "../thread/group.ts";
import { claim } from "./claim.ts";

export class Claims {
  readonly #core: Core;
  /** By all that a request says besides its slots: most of one pool are alike. */
  readonly #groups = new Map<string, Group<ClaimRequest, Claimed>>();

  constructor(core: Core) {
    this.#core = core;
  }

  ask(request: ClaimRequest): Promise<Claimed> {
    const { slots, suspects, ...alike } = request;
    // Who may take one suspect must itself get it.
    const name = JSON.stringify({ ...alike, suspects: suspects === slots.length ? "all" : suspects });
    let group = this.#groups.get(name);
    if (!group) {
      group = new Group((asks) => claimTogether(this.#core, asks), { atOnce: 1 });
      this.#groups.set(name, group);
    }
    return group.ask(request, slots.length);
  }
}

async function claimTogether(core: Core, asks: ClaimRequest[]): Promise<Claimed[]> {
  const [first] = asks as [ClaimRequest, ...ClaimRequest[]];
  if (asks.length === 1) return [await claim(core, first)];
  const { jobs, ...more } = await claim(core, {
    ...first,
    slots: asks.flatMap(({ slots }) => slots),
    suspects: asks.reduce((sum, { suspects }) => sum + suspects, 0),
  });
  // They were given in the order of the slots, which are a pool's own: no two asks have the same.
  return asks.map(({ slots }): Claimed => ({ jobs: jobs.splice(0, slots.length), ...more }));
}
