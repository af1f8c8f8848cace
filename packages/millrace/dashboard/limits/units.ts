const UNITS = [
  ["1000", "second"],
  ["60000", "minute"],
  ["3600000", "hour"],
  ["86400000", "day"],
] as const;

/** The periods of a choice, with one more if this one is none of them. */
export function unitsWith(perMs: string): readonly (readonly [string, string])[] {
  return UNITS.some(([ms]) => ms === perMs) ? UNITS : [...UNITS, [perMs, `${perMs} ms`]];
}
