// How both stores write that a job has a concurrency key. A file moved to PostgreSQL keeps its numbers.
//
//   scheduled ──due──▶ waits for its key ──the key has room──▶ ready (holds) ──claim──▶ running (holds)
//      ▲                     ▲                                      │                      │
//      └── retry, wait ──────┴───────── gives the key back ◀────────┴──────────────────────┘
//
// A job of an ordered kind holds its key until it has ended, also while it waits or is retried.

import { FOLLOWS } from "../codes.ts";
import type { NewJob } from "../verbs/submission.ts";
import { NEVER, WAITING } from "../waits/codes.ts";

/** Flags of a job, beside those of codes.ts. KEYED: it runs only while it holds its concurrency key. */
export const KEYED = 2 ** 28;
/** It holds its key, so it has a place that counts. A dead letter with this flag keeps others waiting. */
export const HOLDS_KEY = 2 ** 29;

/** The flags that a new job has from the start. Jobs with flags start on the twin of their plan. */
export function flagsOf({ flags = 0, concurrencyKey, completed }: NewJob): number {
  return concurrencyKey === undefined || completed ? flags : flags | KEYED;
}

/** The job must get its key before it can be ready. */
export function needsKey(flags: number): boolean {
  return (flags & (KEYED | HOLDS_KEY)) === KEYED;
}

/** The job is due and waits for its key alone. */
export function waitsForKey({ standing, run_at, flags }: { standing: number; run_at: number; flags: number }): boolean {
  return standing === 0 && run_at === NEVER && needsKey(flags) && (flags & (WAITING | FOLLOWS)) === 0;
}
