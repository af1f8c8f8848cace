// THE COLUMNS OF A JOB. Both stores have them under these names: SQLite in `job`, PostgreSQL in `job` while the job is live and
// in `finished` after its end. Inserts, claims, revivals, the row type, the move to PostgreSQL and the backup follow from here.

import type { Job } from "../../job/job.ts";
import { fingerprintOf } from "../../job/report/cause.ts";
import { packTrace, unpackTrace } from "../../lib/trace-parent.ts";
import { HAS_LARGE_PAYLOAD, HAS_LARGE_RESULT } from "../codes.ts";
import type { NewJob } from "../verbs/submission.ts";
import type { StoredColumn } from "./column.ts";

export interface JobColumn extends StoredColumn {
  /** What a submission stores. Missing: the store sets the column itself, or its default holds. */
  readonly submitted?: ColumnSource;
  /** A claim reads it: of each job, or only where it is not NULL and not 0, which is rare. */
  readonly claimed?: "each" | "rare";
  /** The job that revives this one has the same value, or counts the same span from its own submission. */
  readonly revived?: "same" | "restarted";
  /** The end of an attempt, or of the job, writes it. */
  readonly settled?: true;
  /** Where a job shows it, if it is not NULL. Columns that are never NULL are shown by `jobOf`. */
  readonly shown?: ColumnView;
  /** In SQLite, a value that is too long for the row is kept in the table `body`. This flag says so. */
  readonly largeFlag?: number;
}

export interface ColumnView {
  readonly field: keyof Job;
  /** What the stored value stands for. Missing: the value itself. */
  readonly read?: (value: never, facts: { idOf(key: number): string }) => unknown;
}

export interface ColumnSource {
  readonly from: (job: NewJob) => number | string | null | undefined;
  /** The value is a span in milliseconds, stored as the moment after this one. */
  readonly after?: "run_at" | "created_at";
  /** A job that is stored as completed does not need the value. */
  readonly unlessCompleted?: true;
}

/** The columns, in the order of the tables. */
export const JOB_COLUMNS = {
  id: { type: "bigint", claimed: "each" },
  stage: { type: "int", settled: true },
  tenant: { type: "int", claimed: "each", revived: "same" },
  standing: { type: "smallint", settled: true },
  priority: { type: "int", submitted: { from: ({ priority }) => priority ?? 0 }, claimed: "each", revived: "same" },
  run_at: { type: "bigint", claimed: "each", settled: true },
  /** Grows with every claim: a lease with an older one is stale. */
  token: { type: "bigint", claimed: "rare" },
  holder: { type: "bigint", nullable: true },
  slot: { type: "int", nullable: true },
  attempt: { type: "int", settled: true },
  failures: { type: "int", claimed: "rare", settled: true },
  failures_total: { type: "int", settled: true },
  crashes: { type: "int", claimed: "rare", settled: true },
  /** What the job has beside its row (codes.ts). */
  flags: { type: "int", claimed: "rare", inFile: `flags & ~${HAS_LARGE_PAYLOAD | HAS_LARGE_RESULT}`, settled: true },
  created_at: { type: "bigint", claimed: "each" },
  updated_at: { type: "bigint", settled: true },
  started_at: { type: "bigint", nullable: true, shown: { field: "startedAt" } },
  finished_at: { type: "bigint", nullable: true, settled: true, shown: { field: "finishedAt" } },
  max_attempts: {
    type: "int",
    nullable: true,
    submitted: { from: ({ maxAttempts }) => maxAttempts },
    revived: "same",
    shown: { field: "maxAttempts" },
  },
  timeout_ms: {
    type: "bigint",
    nullable: true,
    submitted: { from: ({ timeoutMs }) => timeoutMs, unlessCompleted: true },
    claimed: "rare",
    revived: "same",
  },
  /** A job that has not started by then fails; so does one that is still held. */
  expires_at: {
    type: "bigint",
    nullable: true,
    submitted: { from: ({ expiresInMs }) => expiresInMs, after: "run_at", unlessCompleted: true },
    claimed: "rare",
    settled: true,
    shown: { field: "expiresAt" },
  },
  payload: {
    type: "text",
    nullable: true,
    submitted: { from: ({ payload }) => payload },
    claimed: "each",
    revived: "same",
    largeFlag: HAS_LARGE_PAYLOAD,
    inFile: `CASE WHEN flags & ${HAS_LARGE_PAYLOAD} THEN (SELECT value FROM body WHERE body.id = job.id * 2)
      ELSE coalesce(payload, 'null') END`,
  },
  output: {
    type: "text",
    nullable: true,
    claimed: "rare",
    revived: "same",
    settled: true,
    largeFlag: HAS_LARGE_RESULT,
    inFile: `CASE WHEN flags & ${HAS_LARGE_RESULT} THEN (SELECT value FROM body WHERE body.id = job.id * 2 + 1)
      ELSE output END`,
  },
  failure: {
    type: "text",
    nullable: true,
    claimed: "rare",
    settled: true,
    shown: { field: "failure", read: readJson },
  },
  /** Why a job waits: that of a held one, or of a scheduled one that its processor deferred. */
  held_for: { type: "text", nullable: true, settled: true },
  progress: { type: "text", nullable: true, settled: true, shown: { field: "progress", read: readJson } },
  tags: {
    type: "text",
    nullable: true,
    submitted: { from: ({ tags }) => (tags?.length ? JSON.stringify(tags) : null) },
    claimed: "rare",
    revived: "same",
    shown: { field: "tags", read: readJson },
  },
  trace: {
    type: "text",
    nullable: true,
    submitted: { from: packTrace },
    claimed: "rare",
    revived: "same",
    shown: { field: "traceId", read: (trace: string) => unpackTrace(trace).traceId },
  },
  retry_of: { type: "bigint", nullable: true, shown: { field: "retryOf", read: readId } },
  retried_as: { type: "bigint", nullable: true, shown: { field: "retriedAs", read: readId } },
  /** A job that has not ended by then fails. */
  deadline_at: {
    type: "bigint",
    nullable: true,
    submitted: { from: ({ deadlineMs }) => deadlineMs, after: "created_at", unlessCompleted: true },
    claimed: "rare",
    revived: "restarted",
    shown: { field: "deadlineAt" },
  },
  /** The key that the job must hold to run (keys/codes.ts). */
  concurrency_key: {
    type: "text",
    nullable: true,
    submitted: { from: ({ concurrencyKey }) => concurrencyKey, unlessCompleted: true },
    revived: "same",
    shown: { field: "concurrencyKey" },
  },
  /** Why a dead letter failed, in a form that is the same for all jobs that failed so (job/report/cause.ts). */
  cause: {
    type: "text",
    nullable: true,
    settled: true,
    shown: { field: "fingerprint", read: fingerprintOf },
  },
} as const satisfies Record<string, JobColumn>;

export type JobColumnName = keyof typeof JOB_COLUMNS;

const COLUMNS: Readonly<Record<JobColumnName, JobColumn>> = JOB_COLUMNS;
const NAMES = Object.keys(COLUMNS) as JobColumnName[];

function readJson(text: string): unknown {
  return JSON.parse(text);
}

function readId(key: number, { idOf }: { idOf(key: number): string }): string {
  return idOf(key);
}

/** The columns that a job shows, with where and how. */
export const SHOWN_COLUMNS: readonly (ColumnView & { readonly name: JobColumnName })[] = NAMES.flatMap((name) => {
  const { shown } = COLUMNS[name];
  return shown ? [{ ...shown, name }] : [];
});

/** The names of all columns that `is` chooses, in the order of the tables. */
export function jobColumns(is: (column: JobColumn) => boolean = () => true): JobColumnName[] {
  return NAMES.filter((name) => is(COLUMNS[name]));
}

export interface SubmittedColumn extends StoredColumn, ColumnSource {
  readonly name: JobColumnName;
}

/** The columns that a submission stores, with what they store. */
export const SUBMITTED_COLUMNS: readonly SubmittedColumn[] = NAMES.flatMap((name) => {
  const { submitted, ...column } = COLUMNS[name];
  return submitted ? [{ ...column, ...submitted, name }] : [];
});

/** The value of a column for a job that is stored now. */
export function submittedValue(
  { from, after }: ColumnSource,
  job: NewJob,
  { runAt, now }: { runAt: number; now: number },
): number | string | null {
  const value = from(job) ?? null;
  if (value === null || after === undefined) return value;
  return (after === "run_at" ? runAt : now) + Number(value);
}

/** The columns that a job has in common with the one that it revives. */
export const REVIVED_COLUMNS: readonly JobColumnName[] = jobColumns(({ revived }) => revived !== undefined);

/** Those of them whose span is counted again from the submission of the job that revives. */
export const RESTARTED_COLUMNS: readonly JobColumnName[] = jobColumns(({ revived }) => revived === "restarted");
