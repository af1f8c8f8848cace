// A job as both stores keep it: one row, moments in milliseconds, JSON as text.

import type { Neighbours } from "../../job/crash.ts";
import { type Job, STANDINGS, type Standing } from "../../job/job.ts";
import { afterDeadlineUnstarted, afterHoldExpired, type Transition } from "../../job/lifecycle.ts";
import type { WaitType } from "../../job/wait.ts";
import { IS_SUCCESSOR } from "../children/codes.ts";
import { COMPLETED, FAILED, FOLLOWS, HELD, SCHEDULED } from "../codes.ts";
import type { RowOf } from "../columns/column.ts";
import { type JOB_COLUMNS, type JobColumnName, SHOWN_COLUMNS } from "../columns/job-columns.ts";
import { HOLDS_KEY, KEYED, waitsForKey } from "../keys/codes.ts";
import { dueAt } from "../waits/codes.ts";
import { undoingOf } from "../waits/workflow-facts.ts";

export type JobRow = RowOf<typeof JOB_COLUMNS>;

/** What a row's numbers stand for, and what is kept beside it. */
export interface RowFacts {
  readonly kind: string;
  readonly stage: string;
  /** All stages of the kind, in order. */
  readonly stages: readonly { readonly name: string }[];
  readonly tenant: string;
  readonly payload: string;
  readonly result: string | undefined;
  /** The attempts that the kind allows, for a job that sets none. */
  readonly maxAttempts: number;
  /** The process that holds the job. */
  readonly holder: string | undefined;
  readonly idOf: (key: number) => string;
  /** Its open waits, if it waits. */
  readonly waits?: readonly OpenWaitRow[] | null | undefined;
}

export interface OpenWaitRow {
  type: WaitType;
  name: string;
  since: number;
  until: number | null;
}

export function jobOf(row: JobRow, facts: RowFacts): Job {
  const { kind, stage, tenant, payload, result, holder } = facts;
  const job: Job = {
    id: facts.idOf(row.id),
    kind,
    stage,
    stages: facts.stages.map(({ name }) => name),
    tenant,
    standing: STANDINGS[row.standing] as Standing,
    payload,
    priority: row.priority,
    tags: [],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    runAt: dueAt(row.run_at),
    attempt: row.attempt,
    maxAttempts: facts.maxAttempts,
    failures: row.failures,
    failuresTotal: row.failures_total,
    crashes: row.crashes,
    ...(result !== undefined && { result }),
    ...waitReason(row),
    ...waitsForOf(row, facts.waits ?? []),
    ...undoing(row),
    ...(row.standing === FAILED && row.flags & HOLDS_KEY && { holdsKey: true as const }),
    ...(holder !== undefined && { processor: processorOf(holder, row.slot) }),
  };
  const shown = job as unknown as Record<string, unknown>;
  for (const { name, field, read } of SHOWN_COLUMNS) {
    const value = row[name];
    if (value !== null) shown[linkField(row, name) ?? field] = read ? read(value as never, facts) : value;
  }
  return job;
}

/** A job that continued uses the columns that link a revived job. */
function linkField({ flags, standing }: JobRow, name: JobColumnName): keyof Job | undefined {
  if (name === "retry_of" && flags & IS_SUCCESSOR) return "continuationOf";
  return name === "retried_as" && standing === COMPLETED ? "continuedAs" : undefined;
}

function waitReason({ standing, held_for }: JobRow): Pick<Job, "heldFor" | "deferredFor"> {
  if (held_for === null) return {};
  if (standing === HELD) return { heldFor: held_for };
  return standing === SCHEDULED ? { deferredFor: held_for } : {};
}

/** A held job waits for its release; its time began when it was last written. */
function waitsForOf(row: JobRow, waits: readonly OpenWaitRow[]): Pick<Job, "waitsFor"> {
  if (row.standing === HELD) {
    const until = row.expires_at;
    return { waitsFor: [{ type: "hold", since: row.updated_at, ...(until !== null && { until }) }] };
  }
  if (row.flags & FOLLOWS && row.standing === SCHEDULED)
    return { waitsFor: [{ type: "leader", since: row.created_at }] };
  if (waitsForKey(row)) return { waitsFor: [{ type: "key", name: row.concurrency_key ?? "", since: row.updated_at }] };
  if (waits.length === 0) return {};
  return { waitsFor: waits.map(({ until, ...wait }) => ({ ...wait, ...(until !== null && { until }) })) };
}

function undoing({ standing, flags }: JobRow): Pick<Job, "undoing"> {
  const because = standing < COMPLETED ? undoingOf(flags) : undefined;
  return because ? { undoing: because } : {};
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

/** How long the job had to start. The due time of a job with a key changes when it gets its turn. */
export function startWindowMs({ expires_at, run_at, created_at, flags }: JobRow): number {
  return (expires_at ?? 0) - (flags & KEYED ? created_at : run_at);
}

/** What becomes of a job past `expires_at`: it was to start by then, or its hold was to end. */
export function afterDeadline(row: JobRow): Transition {
  const expiresAt = row.expires_at ?? row.updated_at;
  if (row.standing !== HELD) {
    // A follower has its own time beside its row.
    return afterDeadlineUnstarted(
      standpoint(row),
      row.flags & FOLLOWS ? expiresAt - row.created_at : startWindowMs(row),
    );
  }
  return afterHoldExpired(standpoint(row), { reason: row.held_for ?? "", forMs: expiresAt - row.updated_at });
}
