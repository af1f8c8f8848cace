import { type Job, type Progress, STANDINGS, type Standing } from "../../job/job.ts";
import { unpackTrace } from "../../lib/trace-parent.ts";
import { HAS_LARGE_OUTPUT, HAS_LARGE_PAYLOAD } from "../codes.ts";
import type { Core, View } from "./core.ts";

/** A row of the table `job`. */
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
  payload: string | null;
  output: string | null;
  failure: string | null;
  held_for: string | null;
  progress: string | null;
  tags: string | null;
  trace: string | null;
  retry_of: number | null;
  retried_as: number | null;
}

export const FIND_ROW = "SELECT * FROM job WHERE id = ?";
const BODY = "SELECT value FROM body WHERE id = ?";
const DROP_BODY = "DELETE FROM body WHERE id = ?";
const PUT_BODY = "INSERT OR REPLACE INTO body (id, value) VALUES (?, ?)";

export function findRow(core: View, key: number): JobRow | undefined {
  return core.statement(FIND_ROW).get(key) as JobRow | undefined;
}

export function payloadOf(core: View, row: Pick<JobRow, "id" | "flags" | "payload">): string {
  return row.flags & HAS_LARGE_PAYLOAD ? readBody(core, row.id * 2) : (row.payload ?? "null");
}

export function outputOf(core: View, row: Pick<JobRow, "id" | "flags" | "output">): string | undefined {
  return row.flags & HAS_LARGE_OUTPUT ? readBody(core, row.id * 2 + 1) : (row.output ?? undefined);
}

function readBody(core: View, id: number): string {
  return (core.statement(BODY).get(id) as { value: string }).value;
}

/** Rows stay narrow: a claim reads many of them. */
export const IN_ROW_CHARS = 1_000;

export function putPayloadBody(core: Core, key: number, payload: string): void {
  core.statement(PUT_BODY).run(key * 2, payload);
}

export function putOutputBody(core: Core, key: number, output: string): void {
  core.statement(PUT_BODY).run(key * 2 + 1, output);
}

export function dropOutputBody(core: Core, key: number): void {
  core.statement(DROP_BODY).run(key * 2 + 1);
}

export function toJob(core: View, row: JobRow): Job {
  const stage = core.names.stage(row.stage);
  const standing = STANDINGS[row.standing] as Standing;
  const output = outputOf(core, row);
  const traceId = row.trace === null ? undefined : unpackTrace(row.trace).traceId;
  const id = (key: number) => core.ids.encode(key);
  return {
    id: id(row.id),
    kind: stage.kindName,
    stage: stage.name,
    stages: core.names.stagesOf(stage.kindName).map((each) => each.name),
    tenant: core.names.tenantName(row.tenant),
    standing,
    payload: payloadOf(core, row),
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
    ...(output !== undefined && { output }),
    ...(traceId !== undefined && { traceId }),
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.progress !== null && { progress: JSON.parse(row.progress) as Progress }),
    ...(row.failure !== null && { failure: JSON.parse(row.failure) }),
    ...(row.held_for !== null && { heldFor: row.held_for }),
    ...(row.holder !== null && { processor: processorName(core, row.holder, row.slot) }),
    ...(row.retry_of !== null && { retryOf: id(row.retry_of) }),
    ...(row.retried_as !== null && { retriedAs: id(row.retried_as) }),
  };
}

export function processorName(core: View, holder: number, slot: number | null): string {
  const name = core.names.instanceName(holder);
  return slot === null ? name : `${name}#${slot}`;
}
