import { type Job, type Progress, STANDINGS, type Standing } from "../../job/job.ts";
import { unpackTrace } from "../../lib/trace-parent.ts";
import type { Core } from "./core.ts";

/** A row of the tables `job` and `finished`. */
export interface JobRow {
  id: number;
  stage: number;
  tenant: number;
  standing: number;
  priority: number;
  run_at: number;
  token: number;
  holder: number | null;
  slot: number | null;
  attempt: number;
  failures: number;
  failures_total: number;
  crashes: number;
  flags: number;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  finished_at: number | null;
  max_attempts: number | null;
  timeout_ms: number | null;
  expires_at: number | null;
  payload: string;
  output: string | null;
  failure: string | null;
  held_for: string | null;
  progress: string | null;
  tags: string | null;
  trace: string | null;
  retry_of: number | null;
  retried_as: number | null;
}

/** With the names that stand for its numbers. */
export interface NamedRow extends JobRow {
  tenant_name: string;
  holder_name: string | null;
}

/** In the tables' order. */
export const COLUMNS = `id, stage, tenant, standing, priority, run_at, token, holder, slot, attempt, failures, failures_total,
  crashes, flags, created_at, updated_at, started_at, finished_at, max_attempts, timeout_ms, expires_at, payload, output, failure,
  held_for, progress, tags, trace, retry_of, retried_as`;

/** `FROM` of everything that is shown; conditions and order follow. */
export const NAMED = `SELECT job.*, tenant.name AS tenant_name, instance.name AS holder_name FROM millrace.every_job AS job
  JOIN millrace.tenant ON tenant.id = job.tenant LEFT JOIN millrace.instance ON instance.id = job.holder`;

export async function toJobs(core: Core, rows: NamedRow[]): Promise<Job[]> {
  await core.names.knowStages(rows.map((row) => row.stage));
  return rows.map((row) => toJob(core, row));
}

function toJob(core: Core, row: NamedRow): Job {
  const stage = core.names.stage(row.stage);
  const standing = STANDINGS[row.standing] as Standing;
  const traceId = row.trace === null ? undefined : unpackTrace(row.trace).traceId;
  const id = (key: number) => core.ids.encode(key);
  return {
    id: id(row.id),
    kind: stage.kindName,
    stage: stage.name,
    stages: core.names.stagesOf(stage.kindName).map((each) => each.name),
    tenant: row.tenant_name,
    standing,
    payload: row.payload,
    priority: row.priority,
    tags: row.tags ? JSON.parse(row.tags) : [],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    runAt: row.run_at,
    attempt: row.attempt,
    maxAttempts: row.max_attempts ?? core.names.stagePlan(stage).maxAttempts,
    failures: row.failures,
    failuresTotal: row.failures_total,
    crashes: row.crashes,
    ...(row.output !== null && { output: row.output }),
    ...(traceId !== undefined && { traceId }),
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.progress !== null && { progress: JSON.parse(row.progress) as Progress }),
    ...(row.failure !== null && { failure: JSON.parse(row.failure) }),
    ...(row.held_for !== null && { heldFor: row.held_for }),
    ...(row.holder !== null && { processor: processorName(row.holder, row.holder_name, row.slot) }),
    ...(row.retry_of !== null && { retryOf: id(row.retry_of) }),
    ...(row.retried_as !== null && { retriedAs: id(row.retried_as) }),
  };
}

export function processorName(holder: number, name: string | null, slot: number | null): string {
  const shown = name ?? `instance-${holder}`;
  return slot === null ? shown : `${shown}#${slot}`;
}

/** What a decision needs to know of a row. */
export function standpoint(row: Pick<JobRow, "failures" | "failures_total" | "crashes" | "max_attempts">) {
  return {
    failures: row.failures,
    failuresTotal: row.failures_total,
    crashes: row.crashes,
    ...(row.max_attempts !== null && { maxAttempts: row.max_attempts }),
  };
}
