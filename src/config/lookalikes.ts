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

/** At most two letters changed, added or missing. */
function isNear(known: string, name: string): boolean {
  if (Math.abs(known.length - name.length) > 2) return false;
  let above = Array.from({ length: name.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...known].entries()) {
    const line = [row + 1];
    for (const [column, other] of [...name].entries()) {
      const change = (above[column] ?? 0) + (letter === other ? 0 : 1);
      line.push(Math.min(change, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  return (above.at(-1) ?? 0) <= 2;
}
