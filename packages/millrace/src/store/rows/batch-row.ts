import type { BatchCounts } from "../../job/report/batch-view.ts";
import { ENDED_CANCELLED, ENDED_WELL, RUNS_YET } from "../children/codes.ts";
import type { StoredBatch } from "../verbs/batches.ts";
import type { NewJob } from "../verbs/submission.ts";

export interface BatchRow {
  id: number;
  tenant: number;
  created_at: number;
  sealed_at: number | null;
  ended_at: number | null;
  cancelled_at: number | null;
  on_end: string | null;
  callback: number | null;
  counts: string | null;
}

export interface StateCount {
  state: number;
  count: number;
}

export function batchCounts(states: readonly StateCount[]): BatchCounts {
  const sum = (is: (state: number) => boolean) =>
    states.reduce((total, { state, count }) => total + (is(state) ? count : 0), 0);
  return {
    total: sum(() => true),
    completed: sum((state) => state === ENDED_WELL),
    failed: sum((state) => state > ENDED_WELL && state !== ENDED_CANCELLED),
    cancelled: sum((state) => state === ENDED_CANCELLED),
  };
}

export function hasOpen(states: readonly StateCount[]): boolean {
  return states.some(({ state, count }) => state === RUNS_YET && count > 0);
}

export function batchOf(
  row: BatchRow,
  facts: { tenant: string; states: readonly StateCount[]; batchId(id: number): string; jobId(key: number): string },
): StoredBatch {
  return {
    id: facts.batchId(row.id),
    tenant: facts.tenant,
    createdAt: row.created_at,
    ...(row.sealed_at !== null && { sealedAt: row.sealed_at }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    ...(row.cancelled_at !== null && { cancelledAt: row.cancelled_at }),
    ...(row.on_end !== null && { onEnd: (JSON.parse(row.on_end) as NewJob).kind }),
    ...(row.callback !== null && { callback: facts.jobId(row.callback) }),
    counts: batchCounts(facts.states),
  };
}
