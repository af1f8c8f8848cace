// The row of an operation, the same in both stores.

import type { OperationAction } from "../../job/report/operation-view.ts";
import type { PublicIds } from "../../lib/public-id.ts";
import type { OperationError, OperationState, StoredOperation } from "../verbs/operations/operations.ts";

export const COLLECTING = 0;
export const RUNS = 1;
export const PAUSED = 2;
export const STOPPED = 3;
export const COMPLETE = 4;
export const BROKEN = 5;

const STATES: readonly OperationState[] = ["collecting", "running", "paused", "stopped", "completed", "failed"];

export interface OperationRow {
  readonly id: number;
  readonly action: OperationAction;
  readonly request: string;
  readonly hash: string;
  readonly made_by: string;
  readonly tenant: string | null;
  /** JSON: the codes of the standings in which its jobs must still be found. */
  readonly among: string;
  readonly state: number;
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** The errors, as JSON. */
  readonly errors: string;
  readonly waits_for: string | null;
  readonly part: number;
  readonly place: number;
  readonly per_second: number | null;
  /** With a rate: when the next act may begin. */
  readonly paced_at: number;
  readonly rate: number;
  readonly rate_since: number;
  readonly rate_count: number;
  readonly key: string | null;
  readonly undo_of: number | null;
  readonly started_at: number;
  readonly updated_at: number;
  readonly ended_at: number | null;
}

export function operationOf(row: OperationRow, ids: PublicIds): StoredOperation {
  const { id, action, request, made_by, tenant, state, total, done, skipped, failed, rate } = row;
  return {
    id: ids.encode(id),
    action,
    request,
    by: made_by,
    ...(tenant !== null && { tenant }),
    state: STATES[state] ?? "failed",
    total,
    done,
    skipped,
    failed,
    rate,
    errors: JSON.parse(row.errors) as OperationError[],
    ...(row.waits_for !== null && { waitsFor: row.waits_for }),
    ...(row.undo_of !== null && { undoOf: ids.encode(row.undo_of) }),
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  };
}

/** Jobs that a part covers, in their order: each by its key, with its standing before if the operation takes something back. */
export interface PartJob {
  readonly key: number;
  readonly was?: number;
}

export function jobsOfPart(json: string): PartJob[] {
  return (JSON.parse(json) as (number | [number, number])[]).map((entry) =>
    typeof entry === "number" ? { key: entry } : { key: entry[0], was: entry[1] },
  );
}
