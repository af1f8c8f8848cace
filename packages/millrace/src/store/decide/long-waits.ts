// Which waits are open for longer than waits of their kind usually are. Both stores load the facts, and ask here.

import { plainName, type WaitType } from "../../job/wait.ts";

/** How many answered waits are looked at, the latest first. */
export const LATEST_WAITS = 5_000;
/** How many open waits are looked at, the oldest first. */
export const OLDEST_WAITS = 500;

/** With fewer answers, no duration counts as usual. */
const LEAST_ANSWERS = 5;
/** Nineteen of twenty waits took no longer than what is usual. A wait is long when it takes twice that. */
const USUAL_SHARE = 0.95;
const LONG_TIMES = 2;
/** A wait of some seconds is not long, whatever is usual. */
const LEAST_LONG_MS = 60_000;

export interface WaitOfStage {
  readonly stage: number;
  readonly type: WaitType;
  readonly name: string;
  readonly since: number;
}

export type AnsweredWait = WaitOfStage & { readonly answeredAt: number };
export type OldWait = WaitOfStage & { readonly job: number };

export interface LongWaitGroup {
  readonly kind: string;
  readonly stage: string;
  readonly type: WaitType;
  /** The name in the code. */
  readonly name: string;
  /** How many jobs wait too long. */
  readonly count: number;
  /** The job that waits longest, and since when. */
  readonly job: number;
  readonly since: number;
  readonly usualMs: number;
}

export interface LongWaitFacts {
  readonly answered: readonly AnsweredWait[];
  readonly open: readonly OldWait[];
  readonly now: number;
  /** A kind has a stage of the same name in each of its plans. */
  stageOf(stage: number): { readonly kindName: string; readonly name: string };
}

/** The longest first, by how many times the usual they wait. */
export function longWaits({ answered, open, now, stageOf }: LongWaitFacts): LongWaitGroup[] {
  const keyOf = ({ stage, type, name }: WaitOfStage) => {
    const { kindName, name: stageName } = stageOf(stage);
    return JSON.stringify([kindName, stageName, type, plainName(name)]);
  };
  const took = grouped(answered, keyOf);
  const groups = [...grouped(open, keyOf)].flatMap(([key, waits]): LongWaitGroup[] => {
    const usualMs = usual((took.get(key) ?? []).map(({ since, answeredAt }) => answeredAt - since));
    if (usualMs === undefined) return [];
    const long = waits.filter(({ since }) => now - since > Math.max(usualMs * LONG_TIMES, LEAST_LONG_MS));
    const [first] = long.sort((a, b) => a.since - b.since);
    if (!first) return [];
    const { kindName, name: stage } = stageOf(first.stage);
    const { type, name, job, since } = first;
    return [{ kind: kindName, stage, type, name: plainName(name), count: long.length, job, since, usualMs }];
  });
  const times = ({ since, usualMs }: LongWaitGroup) => (now - since) / Math.max(1, usualMs);
  return groups.sort((a, b) => times(b) - times(a));
}

function usual(took: number[]): number | undefined {
  if (took.length < LEAST_ANSWERS) return undefined;
  const sorted = took.sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * USUAL_SHARE))];
}

function grouped<T extends WaitOfStage>(waits: readonly T[], keyOf: (wait: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const wait of waits) {
    const key = keyOf(wait);
    const group = groups.get(key);
    if (group) group.push(wait);
    else groups.set(key, [wait]);
  }
  return groups;
}
