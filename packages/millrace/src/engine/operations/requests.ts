// What an operation is asked for, and which jobs each action can be done to.

import type { Standing } from "../../job/job.ts";
import type { OperationView } from "../../job/report/operation-view.ts";
import { AppError } from "../../lib/app-error.ts";
import { UNDO_MS } from "../../store/decide/operations/operations.ts";
import type { JobFilter } from "../../store/verbs/job-filter.ts";
import type { OperationAsk } from "../../store/verbs/operations/operation-ask.ts";
import type { StoredOperation } from "../../store/verbs/operations/operations.ts";

const WAITING: Standing[] = ["scheduled", "ready", "suspect", "held"];

const AMONG: Record<OperationAsk["action"], Standing[]> = {
  revive: ["failed"],
  retry: ["failed", "rejected", "cancelled"],
  cancel: [...WAITING, "running"],
  delete: ["completed", "failed", "rejected", "cancelled"],
  release: ["held"],
  reprioritise: WAITING,
};

/** The filter that finds only jobs to which the action can be done, and the standings in which they are. */
export function targetOf({ action, filter = {} }: OperationAsk): { filter: JobFilter; among: Standing[] } {
  const { standings = filter.status === "dead-letter" ? AMONG.revive : AMONG[action] } = filter;
  const among = AMONG[action].filter((standing) => standings.includes(standing));
  if (action === "retry") {
    const { standings: _all, ...rest } = filter;
    return { filter: { ...rest, revivable: true }, among };
  }
  return { filter: { ...filter, standings: among }, among };
}

/** What is stored of a request. The store reads some of it. */
export function storedRequest({ shownFilter, ids, reason, perSecond, from, priority, answer }: OperationAsk): string {
  return JSON.stringify({ filter: shownFilter, ids: ids?.length, reason, perSecond, from, priority, answer });
}

interface StoredRequest {
  filter?: Record<string, unknown>;
  reason?: string;
  perSecond?: number;
}

export function operationView(operation: StoredOperation, now: number): OperationView {
  const { id, action, by, tenant = null, state, total, done, skipped, failed, errors } = operation;
  const { filter = null, reason, perSecond } = JSON.parse(operation.request) as StoredRequest;
  const { waitsFor, undoOf, endedAt } = operation;
  const hasEnded = state === "completed" || state === "stopped";
  return {
    id,
    action,
    filter,
    by,
    tenant,
    state: state === "collecting" ? "running" : state,
    total,
    done,
    skipped,
    failed,
    rate: Math.round(operation.rate * 10) / 10,
    errors,
    ...(waitsFor !== undefined && { waitsFor }),
    ...(reason !== undefined && { reason }),
    ...(perSecond !== undefined && { perSecond }),
    ...(undoOf !== undefined && { undoOf }),
    undoable: (action === "revive" || action === "retry") && hasEnded && done > 0 && (endedAt ?? 0) > now - UNDO_MS,
    startedAt: new Date(operation.startedAt).toISOString(),
    updatedAt: new Date(operation.updatedAt).toISOString(),
    endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
  };
}

export function operationNotFound(): AppError {
  return new AppError("operation-not-found", "Operation not found.");
}
