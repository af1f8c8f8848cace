import { isNear } from "../lib/near.ts";
import { isPoolVariable } from "./pools.ts";
import type { SettingTable } from "./setting.ts";

// Shorter names are a letter or two away from too many that belong to others (PORTS, HOME).
const MIN_LENGTH = 8;

/**
 * A sentence for each variable that was probably meant for us but misspelt, since it would be ignored in silence.
 * Only ever a warning: the environment is shared, and the name may be someone else's.
 */
export function lookalikes(names: readonly string[], tables: readonly { readonly settings: SettingTable }[]): string[] {
  const all = tables.flatMap(({ settings }) => Object.values(settings));
  const known = all.flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));
  return names.flatMap((name) => {
    if (known.includes(name) || isPoolVariable(name)) return [];
    if (name.startsWith("POOL_")) {
      return [
        `${name} is not a setting. Did you mean POOL_<STAGE>_SIZE, POOL_<STAGE>_TIMEOUT_MS or POOL_<STAGE>_PACE?`,
      ];
    }
    const meant =
      name.length < MIN_LENGTH ? undefined : known.find((each) => each.length >= MIN_LENGTH && isNear(each, name));
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
}
