// The list of jobs that the reader left last, for when they come back to it.

import type { LiveJobList } from "./job-list.ts";

export interface KeptList {
  readonly key: string;
  readonly list: LiveJobList;
  readonly scrollTop: number;
  readonly selected: ReadonlySet<string>;
}

let kept: KeptList | undefined;

/** Keeps this list and drops the one before it. */
export function keepList(next: KeptList): void {
  if (kept && kept.list !== next.list) kept.list.close();
  kept = next;
}

/** The kept list, if it is of this address. */
export function keptList(key: string): KeptList | undefined {
  return kept?.key === key ? kept : undefined;
}
