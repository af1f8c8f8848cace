// Shared limits and the holders of concurrency keys, as both stores read them.

import type { DeadKeyHolders, SharedLimitFacts } from "../verbs/limits/shared-limits.ts";

export interface SharedLimitRow {
  name: string;
  defined: number;
  setTotal: number | null;
}

export function sharedLimitOf(
  { name, defined, setTotal }: SharedLimitRow,
  { kinds, running }: { kinds: readonly string[]; running: number },
): SharedLimitFacts {
  return { name, defined, ...(setTotal !== null && { set: setTotal }), kinds: [...kinds].sort(), running };
}

/** `count`: of all of them, the same in each row. */
export interface DeadHolderRow {
  id: number;
  count: number;
}

export function deadKeyHoldersOf(rows: readonly DeadHolderRow[], jobIdOf: (key: number) => string): DeadKeyHolders {
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ id }) => jobIdOf(id)) };
}
