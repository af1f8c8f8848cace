// A job as both stores keep it: one row, moments in milliseconds, JSON as text.

import type { Neighbours } from "../../job/crash.ts";
import { type Job, type Progress, STANDINGS, type Standing } from "../../job/job.ts";
import { afterDeadlineUnstarted, afterHoldExpired, type Change } from "../../job/lifecycle.ts";
import { unpackTrace } from "../../lib/trace-parent.ts";
import { HELD, SCHEDULED } from "../codes.ts";
import type { RowOf } from "../columns/column.ts";
import type { JOB_COLUMNS } from "../columns/job-columns.ts";

export type JobRow = RowOf<typeof JOB_COLUMNS>;

/** What a row's numbers stand for, and what is kept beside it. */
export interface RowFacts {
  readonly kind: string;
  readonly stage: string;
  /** All of the kind's, in order. */
  readonly stages: readonly { readonly name: string }[];
  readonly tenant: string;
  readonly payload: string;
  readonly output: string | undefined;
  /** Of the kind, where the job sets none. */
  readonly maxAttempts: number;
  /** Who holds it. */
  readonly holder: string | undefined;
  readonly idOf: (key: number) => string;
}

export function jobOf(row: JobRow, facts: RowFacts): Job {
  const { kind, stage, tenant, payload, output, holder, idOf } = facts;
  const traceId = row.trace === null ? undefined : unpackTrace(row.trace).traceId;
  return {
    id: idOf(row.id),
    kind,
    stage,
    stages: facts.stages.map(({ name }) => name),
    tenant,
    standing: STANDINGS[row.standing] as Standing,
    payload,
    priority: row.priority,
    tags: row.tags ? JSON.parse(row.tags) : [],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    runAt: row.run_at,
    attempt: row.attempt,
    maxAttempts: row.max_attempts ?? facts.maxAttempts,
    failures: row.failures,
    failuresTotal: row.failures_total,
    crashes: row.crashes,
    ...(output !== undefined && { output }),
    ...(traceId !== undefined && { traceId }),
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.progress !== null && { progress: JSON.parse(row.progress) as Progress }),
    ...(row.failure !== null && { failure: JSON.parse(row.failure) }),
    ...waitReason(row),
    ...(holder !== undefined && { processor: processorOf(holder, row.slot) }),
    ...(row.retry_of !== null && { retryOf: idOf(row.retry_of) }),
    ...(row.retried_as !== null && { retriedAs: idOf(row.retried_as) }),
  };
}

function waitReason({ standing, held_for }: JobRow): Pick<Job, "heldFor" | "deferredFor"> {
  if (held_for === null) return {};
  if (standing === HELD) return { heldFor: held_for };
  return standing === SCHEDULED ? { deferredFor: held_for } : {};
}

export function processorOf(holder: string, slot: number | null): string {
  return slot === null ? holder : `${holder}#${slot}`;
}

/** What a decision needs to know of a row. */
export function standpoint(
  row: Pick<JobRow, "failures" | "failures_total" | "crashes" | "max_attempts">,
  loneDeaths: Neighbours[] = [],
) {
  return {
    failures: row.failures,
    failuresTotal: row.failures_total,
    crashes: row.crashes,
    ...(row.max_attempts !== null && { maxAttempts: row.max_attempts }),
    ...(loneDeaths.length > 0 && { loneDeaths }),
  };
}

/** What becomes of a job past `expires_at`: it was to start by then, or its hold was to end. */
export function afterDeadline(row: JobRow): Change {
  const expiresAt = row.expires_at ?? row.updated_at;
  if (row.standing !== HELD) return afterDeadlineUnstarted(standpoint(row), expiresAt - row.run_at);
  return afterHoldExpired(standpoint(row), { reason: row.held_for ?? "", forMs: expiresAt - row.updated_at });
}
