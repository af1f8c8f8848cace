import { packTrace } from "../../../lib/trace-parent.ts";
import { COMPLETED, HAS_SHARES } from "../../codes.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { nameShares } from "../sharing/share.ts";
import type { Entry } from "./insert.ts";

const INSERT = `INSERT INTO millrace.finished (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, finished_at,
  max_attempts, tags, trace, payload, output) VALUES (nextval('millrace.job_key'), $1, $2, ${COMPLETED}, $3, $4, ${HAS_SHARES}, $4, $4, $4,
  $5, $6, $7, $8, $9) RETURNING id`;

/** A job whose result is known: no attempt was ever made. Its key. */
export async function insertCompleted(
  core: Core,
  tx: Runner,
  { job, stage, tenant }: Entry,
  now: number,
): Promise<number> {
  const { output, share } = job.completed as NonNullable<Entry["job"]["completed"]>;
  const last = core.names.stagesOf(stage).at(-1) ?? stage;
  const tags = job.tags?.length ? JSON.stringify(job.tags) : null;
  const values = [
    last.id,
    tenant,
    job.priority ?? 0,
    now,
    job.maxAttempts ?? null,
    tags,
    packTrace(job),
    job.payload,
    output,
  ];
  const [row] = await tx.run<{ id: number }>(INSERT, values);
  const id = row?.id as number;
  await nameShares(tx, [{ job: id, key: share }]);
  return id;
}
