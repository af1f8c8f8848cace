import { isNear } from "../lib/near.ts";
import { isPoolVariable } from "./pools.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

const NAMES = Object.values(SETTINGS).flatMap(({ name, alias }: Setting<unknown>) => (alias ? [name, alias] : [name]));

// Shorter names are a letter or two away from too much that belongs to others (PORTS, HOME).
const MIN_LENGTH = 8;

/**
 * A sentence for each variable that was probably meant for us but misspelt, since it would be ignored in silence.
 * Only ever a warning: the environment is shared, and the name may be someone else's.
 */
export function lookalikes(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (NAMES.includes(name) || isPoolVariable(name)) return [];
    if (name.startsWith("POOL_")) {
      return [
        `${name} is not a setting. Did you mean POOL_<STAGE>_SIZE, POOL_<STAGE>_TIMEOUT_MS or POOL_<STAGE>_PACE?`,
      ];
    }
    const meant =
      name.length < MIN_LENGTH ? undefined : NAMES.find((known) => known.length >= MIN_LENGTH && isNear(known, name));
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
}
