import { COMPLETED, HAS_LARGE_PAYLOAD, HAS_LARGE_RESULT, HAS_SHARES } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { type JobColumnName, SUBMITTED_COLUMNS, submittedValue } from "../../columns/job-columns.ts";
import type { StoredJob } from "../../decide/join.ts";
import type { NewJob } from "../../verbs/submission.ts";
import type { Core } from "../core.ts";
import { IN_ROW_CHARS, putPayloadBody, putResultBody } from "../read/row.ts";
import { nameShare } from "../sharing/share.ts";

const OPTIONS = SUBMITTED_COLUMNS.filter(({ name, unlessCompleted }) => name !== "payload" && !unlessCompleted);
const NAMES = [
  ...(["id", "stage", "tenant", "standing", "flags", "payload", "output"] satisfies JobColumnName[]),
  ...(["run_at", "created_at", "updated_at", "finished_at"] satisfies JobColumnName[]),
  ...OPTIONS.map(({ name }) => name),
];
const INSERT = `INSERT INTO job (${listOf(NAMES)}) VALUES (${NAMES.map(() => "?").join(", ")})`;

/** Inserts a job whose result is already known, so that it needs no attempt. Returns its key. */
export function insertCompleted(core: Core, { job, stage }: StoredJob, tenant: number, now: number): number {
  const { result, share } = job.completed as NonNullable<NewJob["completed"]>;
  const key = core.meta.nextJobKey();
  const isLong = (text: string) => text.length > IN_ROW_CHARS;
  const flags = (isLong(job.payload) ? HAS_LARGE_PAYLOAD : 0) | (isLong(result) ? HAS_LARGE_RESULT : 0) | HAS_SHARES;
  const last = core.names.stagesOf(stage).at(-1) ?? stage;
  const moment = { runAt: now, now };
  core
    .statement(INSERT)
    .run(
      ...[key, last.id, tenant, COMPLETED, flags],
      ...[isLong(job.payload) ? null : job.payload, isLong(result) ? null : result],
      ...[now, now, now, now],
      ...OPTIONS.map((column) => submittedValue(column, job, moment)),
    );
  if (isLong(job.payload)) putPayloadBody(core, key, job.payload);
  if (isLong(result)) putResultBody(core, key, result);
  nameShare(core, key, share);
  core.counts.enter(last.id, tenant, COMPLETED);
  return key;
}
