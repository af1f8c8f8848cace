// The end of a batch. After the end of a member the process looks whether others are open; the batch's row lock makes sure that
// one of those that look submits the callback.

import { ENDS_BATCH, RUNS_YET } from "../../children/codes.ts";
import { submissionRefused } from "../../decide/children.ts";
import { type BatchRow, batchCounts, type StateCount } from "../../rows/batch-row.ts";
import type { NewJob, Submission } from "../../verbs/submission.ts";
import { tellOfWork } from "../children/queue.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { readySubmission, submitInside } from "../submit/submit.ts";

const HAS_OPEN = `EXISTS (SELECT 1 FROM millrace.edge WHERE edge.batch = batch.id AND state = ${RUNS_YET})`;
const OVER = `SELECT id, on_end, (SELECT name FROM millrace.tenant WHERE id = batch.tenant) AS tenant_name FROM millrace.batch
  WHERE id = ANY($1::bigint[]) AND sealed_at IS NOT NULL AND ended_at IS NULL AND NOT ${HAS_OPEN}`;
const LOCK = `SELECT id, ${NOW} AS now FROM millrace.batch WHERE id = $2 AND sealed_at IS NOT NULL AND ended_at IS NULL FOR UPDATE`;
const STILL_OPEN = `SELECT 1 FROM millrace.batch WHERE id = $1 AND ${HAS_OPEN}`;
export const STATES = "SELECT state, count(*)::int AS count FROM millrace.edge WHERE batch = $1 GROUP BY state";
const END = "UPDATE millrace.batch SET ended_at = $2, callback = $3, counts = $4 WHERE id = $1";

export async function joinBatches(core: Core, batches: readonly number[]): Promise<void> {
  if (batches.length === 0) return;
  const over = await core.connections.write.run<Pick<BatchRow, "id" | "on_end"> & { tenant_name: string }>(OVER, [
    numbers(batches),
  ]);
  for (const { id, on_end, tenant_name } of over) {
    const callback = on_end === null ? undefined : callbackOf(tenant_name, on_end);
    if (callback) await readySubmission(core, callback);
    await core.connections.write.transact((tx) => end(core, tx, id, callback));
    if (callback) tellOfWork(core);
  }
}

async function end(core: Core, tx: OwnTransaction, id: number, callback: Submission | undefined): Promise<void> {
  const [batch] = await tx.run<{ id: number; now: number }>(LOCK, [core.clock.given, id]);
  if (!batch || (await tx.run(STILL_OPEN, [id])).length > 0) return;
  const counts = batchCounts(await tx.run<StateCount>(STATES, [id]));
  const job = callback ? await submitCallback(core, tx, callback) : null;
  await tx.run(END, [id, batch.now, job, JSON.stringify(counts)]);
}

function callbackOf(tenant: string, onEnd: string): Submission {
  return { tenant, isExempt: true, jobs: [{ ...(JSON.parse(onEnd) as NewJob), flags: ENDS_BATCH }] };
}

async function submitCallback(core: Core, tx: OwnTransaction, callback: Submission): Promise<number> {
  const answer = await submitInside(core, tx, callback);
  if (answer.type !== "accepted") throw submissionRefused(answer);
  return core.ids.decode(answer.jobIds[0] as string) as number;
}
