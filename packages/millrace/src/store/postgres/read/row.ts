import type { Job } from "../../../job/job.ts";
import { RUNNING } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { jobColumns } from "../../columns/job-columns.ts";
import { type JobRow, jobOf, type OpenWaitRow } from "../../rows/job-row.ts";
import { OPEN, WAITING } from "../../waits/codes.ts";
import type { Core } from "../core.ts";

/** A row of `job` or `finished`. Payloads of any size are in the row. */
export interface PostgresJobRow extends JobRow {
  payload: string;
}

/** A live job whose row is locked, and the moment of the statement that locked it. */
export interface LockedRow extends PostgresJobRow {
  now: number;
}

/** A row with names instead of the numbers of tenant and holder. */
export interface NamedRow extends PostgresJobRow {
  tenant_name: string;
  holder_name: string | null;
  /** The open waits, of a job that waits. */
  open_waits?: OpenWaitRow[] | null;
}

/**
 * The condition for jobs that are looked up by their keys. While few jobs run, the index of running jobs looks as cheap
 * to the planner, and is read whole once many jobs run.
 */
export const RUNS = `standing + 0 = ${RUNNING}`;

/** All columns, in the order of the tables. */
export const COLUMNS = listOf(jobColumns());

/** Selects everything that is shown of jobs; conditions and order follow. */
export const NAMED = `SELECT job.*, (SELECT name FROM millrace.tenant WHERE id = job.tenant) AS tenant_name,
  (SELECT name FROM millrace.instance WHERE id = job.holder) AS holder_name,
  CASE WHEN job.flags & ${WAITING} > 0 THEN (
    SELECT json_agg(json_build_object('type', type, 'name', name, 'since', since, 'until', until) ORDER BY id)
    FROM millrace.wait
    WHERE wait.job = job.id AND wait.state = ${OPEN}
  ) END AS open_waits
  FROM millrace.every_job AS job`;

export async function toJobs(core: Core, rows: NamedRow[]): Promise<Job[]> {
  await core.names.knowStages(rows.map((row) => row.stage));
  return rows.map((row) => toJob(core, row));
}

function toJob(core: Core, row: NamedRow): Job {
  const stage = core.names.stage(row.stage);
  return jobOf(row, {
    kind: stage.kindName,
    stage: stage.name,
    stages: core.names.stagesOf(stage),
    tenant: row.tenant_name,
    payload: row.payload,
    result: row.output ?? undefined,
    maxAttempts: core.names.stageRules(stage).maxAttempts,
    holder: holderOf(row),
    idOf: core.ids.encode,
    waits: row.open_waits,
  });
}

/** The name of the process that holds the job. Instances may be deleted before the jobs that they held. */
export function holderOf({ holder, holder_name }: Pick<NamedRow, "holder" | "holder_name">): string | undefined {
  return holder === null ? undefined : (holder_name ?? `instance-${holder}`);
}
