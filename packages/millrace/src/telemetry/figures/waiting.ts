// Why pending jobs do not run. Each counts once, by the first reason that fits in the order of the fields.

import type { PendingTally } from "../../store/verbs/processes.ts";

/** The pending jobs by why they do not run. Each job counts once, by the first that fits. */
export interface WaitingView {
  /** Jobs that wait to be released. */
  held: number;
  /** Jobs that wait for a sleep, a signal, an event, an approval, other jobs, or their concurrency key. */
  waiting: number;
  /** Jobs that start at a later time, and have not failed. */
  scheduled: number;
  /** Jobs with a failed attempt behind them that wait for their next one. */
  retrying: number;
  /** Due jobs that no living process serves. */
  unserved: number;
  /** Due jobs of kinds that are paused. */
  paused: number;
  /** Due jobs whose kind, stage or tenant runs or starts as many jobs as it may. */
  limited: number;
  /** Due jobs that wait for a free processor. */
  ready: number;
}

export interface WaitingSources {
  readonly pending: readonly PendingTally[];
  readonly paused: ReadonlySet<string>;
  /** Pending jobs that no living process serves, by kind and stage; a stage without a name is a kind without a plan. */
  readonly unserved: readonly { readonly kind: string; readonly stage: string | null; readonly jobs: number }[];
}

export function noneWaiting(): WaitingView {
  return { held: 0, waiting: 0, scheduled: 0, retrying: 0, unserved: 0, paused: 0, limited: 0, ready: 0 };
}

export function waitingView({ pending, paused, unserved }: WaitingSources): WaitingView {
  const sum = noneWaiting();
  const left = new Map(unserved.map(({ kind, stage, jobs }) => [stageKey(kind, stage ?? ""), jobs]));
  for (const tally of pending) {
    const { kind, stage, held, waiting, scheduled, retryingLater, retryingNow, due } = tally;
    sum.held += held;
    sum.waiting += waiting;
    sum.scheduled += scheduled - waiting - retryingLater;
    sum.retrying += retryingLater + retryingNow;
    let rest = due - retryingNow;
    const key = stageKey(kind, stage);
    const without = Math.min(rest, left.get(key) ?? 0);
    left.set(key, (left.get(key) ?? 0) - without);
    sum.unserved += without;
    rest -= without;
    if (paused.has(kind)) {
      sum.paused += rest;
      continue;
    }
    const limited = tally.isLimited ? rest : Math.min(rest, tally.tenantAtLimit);
    sum.limited += limited;
    sum.ready += rest - limited;
  }
  return sum;
}

function stageKey(kind: string, stage: string): string {
  return `${kind}\n${stage}`;
}
