import type { Job } from "../../../job/job.ts";
import { HAS_LARGE_PAYLOAD, HAS_LARGE_RESULT } from "../../codes.ts";
import { type JobRow, jobOf, type OpenWaitRow } from "../../rows/job-row.ts";
import { OPEN, WAITING } from "../../waits/codes.ts";
import type { Core, ReadView } from "../core.ts";

export const FIND_ROW = "SELECT * FROM job WHERE id = ?";
const OPEN_WAITS = `SELECT type, name, since, until FROM wait WHERE job = ? AND state = ${OPEN} ORDER BY id`;
const BODY = "SELECT value FROM body WHERE id = ?";
const DROP_BODY = "DELETE FROM body WHERE id = ?";
const PUT_BODY = "INSERT OR REPLACE INTO body (id, value) VALUES (?, ?)";

export function findRow(core: ReadView, key: number): JobRow | undefined {
  return core.statement(FIND_ROW).get(key) as JobRow | undefined;
}

export function payloadOf(core: ReadView, row: Pick<JobRow, "id" | "flags" | "payload">): string {
  return row.flags & HAS_LARGE_PAYLOAD ? readBody(core, row.id * 2) : (row.payload ?? "null");
}

export function resultOf(core: ReadView, row: Pick<JobRow, "id" | "flags" | "output">): string | undefined {
  return row.flags & HAS_LARGE_RESULT ? readBody(core, row.id * 2 + 1) : (row.output ?? undefined);
}

function readBody(core: ReadView, id: number): string {
  return (core.statement(BODY).get(id) as { value: string }).value;
}

/** A longer payload or result goes to a table of its own. Rows stay narrow, because a claim reads many of them. */
export const IN_ROW_CHARS = 1_000;

export function putPayloadBody(core: Core, key: number, payload: string): void {
  core.statement(PUT_BODY).run(key * 2, payload);
}

export function putResultBody(core: Core, key: number, result: string): void {
  core.statement(PUT_BODY).run(key * 2 + 1, result);
}

export function dropPayloadBody(core: Core, key: number): void {
  core.statement(DROP_BODY).run(key * 2);
}

export function dropResultBody(core: Core, key: number): void {
  core.statement(DROP_BODY).run(key * 2 + 1);
}

export function toJob(core: ReadView, row: JobRow): Job {
  const stage = core.names.stage(row.stage);
  return jobOf(row, {
    kind: stage.kindName,
    stage: stage.name,
    stages: core.names.stagesOf(stage),
    tenant: core.names.tenantName(row.tenant),
    payload: payloadOf(core, row),
    result: resultOf(core, row),
    maxAttempts: core.names.stageRules(stage).maxAttempts,
    holder: row.holder === null ? undefined : core.names.instanceName(row.holder),
    idOf: core.ids.encode,
    waits: row.flags & WAITING ? (core.statement(OPEN_WAITS).all(row.id) as unknown as OpenWaitRow[]) : undefined,
  });
}
