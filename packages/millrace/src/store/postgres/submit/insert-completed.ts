import { COMPLETED, HAS_SHARES } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { SUBMITTED_COLUMNS, submittedValue } from "../../columns/job-columns.ts";
import type { NewJob } from "../../verbs/submission.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { nameShares } from "../sharing/share.ts";
import type { Entry } from "./insert.ts";

const OPTIONS = SUBMITTED_COLUMNS.filter(({ unlessCompleted }) => !unlessCompleted);
const INSERT = `INSERT INTO millrace.finished (id, stage, tenant, standing, flags, run_at, created_at, updated_at, finished_at, output,
    ${listOf(OPTIONS.map(({ name }) => name))})
  VALUES (nextval('millrace.job_key'), $1, $2, ${COMPLETED}, ${HAS_SHARES}, $3, $3, $3, $3, $4,
    ${OPTIONS.map((_, i) => `$${i + 5}`).join(", ")})
  RETURNING id`;

/** Inserts a job whose result is already known, so that it needs no attempt. Returns its key. */
export async function insertCompleted(
  core: Core,
  tx: StatementRunner,
  { job, stage, tenant }: Entry,
  now: number,
): Promise<number> {
  const { result, share } = job.completed as NonNullable<NewJob["completed"]>;
  const last = core.names.stagesOf(stage).at(-1) ?? stage;
  const moment = { runAt: now, now };
  const options = OPTIONS.map((column) => submittedValue(column, job, moment));
  const [row] = await tx.run<{ id: number }>(INSERT, [last.id, tenant, now, result, ...options]);
  const id = row?.id as number;
  await nameShares(tx, [{ job: id, key: share }]);
  return id;
}
