import { CANCEL_OF_BATCH, ENDED_FAILED, HAS_WAITER, JOIN_BATCH, MEMBER } from "../../children/codes.ts";
import { batchEnded, batchSealed, refuseBatches } from "../../decide/batches.ts";
import { type BatchRow, batchOf, type StateCount } from "../../rows/batch-row.ts";
import type { BatchFilter, BatchRefusal, NewBatch, StoredBatch } from "../../verbs/batches.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { Submission, SubmitAnswer } from "../../verbs/submission.ts";
import { addEdges } from "../children/edges.ts";
import { leaveWork } from "../children/queue.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { readySubmission, submitInside } from "../submit/submit.ts";
import { STATES } from "./join.ts";

const ADD = `INSERT INTO millrace.batch (tenant, created_at, on_end) VALUES ($2, ${NOW}, $3) RETURNING id`;
const OPEN = "SELECT count(*)::int AS count FROM millrace.batch WHERE tenant = $1 AND ended_at IS NULL";
const NAMED = "SELECT *, (SELECT name FROM millrace.tenant WHERE id = batch.tenant) AS tenant_name FROM millrace.batch";
// Transactions that add members share this lock. The one that seals the batch waits for all of them.
const SHARE = `${NAMED} WHERE id = $1 FOR SHARE`;
const LOCK = `SELECT *, ${NOW} AS now FROM millrace.batch WHERE id = $2 FOR UPDATE`;
const FIND = `${NAMED} WHERE id = $1`;
const SEAL = "UPDATE millrace.batch SET sealed_at = coalesce(sealed_at, $2) WHERE id = $1";
const CANCEL = "UPDATE millrace.batch SET cancelled_at = $2, sealed_at = coalesce(sealed_at, $2) WHERE id = $1";
const LIST = `${NAMED} WHERE ($1::text IS NULL OR tenant = (SELECT id FROM millrace.tenant WHERE name = $1))
  AND ($2::bigint IS NULL OR (sealed_at IS NULL AND created_at < $2)) AND ($3::bigint IS NULL OR id < $3)
  ORDER BY id DESC LIMIT $4`;

const FAILED_MEMBERS = `SELECT job FROM millrace.edge WHERE batch = $1 AND state = ${ENDED_FAILED} ORDER BY id LIMIT $2`;

type NamedBatch = BatchRow & { tenant_name: string };

export async function failedMembers(core: Core, batchId: string, limit: number): Promise<string[]> {
  const values = [core.batchIds.decode(batchId) ?? -1, limit];
  const rows = await core.connections.read.run<{ job: number }>(FAILED_MEMBERS, values);
  return rows.map(({ job }) => core.ids.encode(job));
}

export async function createBatch(core: Core, { tenant, onEnd }: NewBatch): Promise<string> {
  const owner = (await core.names.tenants([tenant])).get(tenant) as number;
  const [open] = await core.connections.write.run<{ count: number }>(OPEN, [owner]);
  refuseBatches(core.options.limits, open?.count ?? 0);
  const values = [core.clock.given, owner, onEnd ? JSON.stringify(onEnd) : null];
  const [row] = await core.connections.write.run<{ id: number }>(ADD, values);
  return core.batchIds.encode(row?.id as number);
}

export async function addToBatch(
  core: Core,
  batchId: string,
  submission: Submission,
): Promise<SubmitAnswer | BatchRefusal> {
  const id = core.batchIds.decode(batchId) ?? -1;
  const members = { ...submission, jobs: submission.jobs.map((job) => ({ ...job, flags: HAS_WAITER })) };
  await readySubmission(core, members);
  const answer = await core.connections.write.transact((tx) => add(core, tx, id, members));
  if (answer.type === "accepted") core.voice.say("work");
  return answer;
}

async function add(
  core: Core,
  tx: OwnTransaction,
  id: number,
  submission: Submission,
): Promise<SubmitAnswer | BatchRefusal> {
  const [batch] = await tx.run<NamedBatch>(SHARE, [id]);
  if (batch?.tenant_name !== submission.tenant) return { type: "not-found" };
  const conflict = batchSealed(batch);
  if (conflict) return conflict;
  const answer = await submitInside(core, tx, submission);
  if (answer.type !== "accepted") return answer;
  const jobs = answer.jobIds.map((jobId) => ({ type: MEMBER, job: core.ids.decode(jobId) as number }));
  await addEdges(tx, { batch: id, jobs });
  return answer;
}

export function sealBatch(core: Core, batchId: string): Promise<ControlAnswer> {
  return change(core, batchId, async (tx, { id, now }) => {
    await tx.run(SEAL, [id, now]);
    await leaveWork(core, tx, { what: JOIN_BATCH, refs: [id], now });
    return "done";
  });
}

export function cancelBatch(core: Core, batchId: string): Promise<ControlAnswer> {
  return change(core, batchId, async (tx, batch) => {
    const conflict = batchEnded(batch);
    if (conflict) return conflict;
    const { id, now } = batch;
    await tx.run(CANCEL, [id, now]);
    await leaveWork(core, tx, { what: CANCEL_OF_BATCH, refs: [id], now });
    await leaveWork(core, tx, { what: JOIN_BATCH, refs: [id], now });
    return "done";
  });
}

function change(
  core: Core,
  batchId: string,
  act: (tx: OwnTransaction, batch: BatchRow & { now: number }) => Promise<ControlAnswer>,
): Promise<ControlAnswer> {
  return core.connections.write.transact(async (tx) => {
    const [batch] = await tx.run<BatchRow & { now: number }>(LOCK, [
      core.clock.given,
      core.batchIds.decode(batchId) ?? -1,
    ]);
    return batch ? act(tx, batch) : "not-found";
  });
}

export async function findBatch(core: Core, batchId: string): Promise<StoredBatch | undefined> {
  const [row] = await core.connections.write.run<NamedBatch>(FIND, [core.batchIds.decode(batchId) ?? -1]);
  return row && view(core, row);
}

export async function batches(core: Core, filter: BatchFilter): Promise<StoredBatch[]> {
  const { tenant, unsealedBefore, beforeId, limit } = filter;
  const before = beforeId === undefined ? null : (core.batchIds.decode(beforeId) ?? -1);
  const rows = await core.connections.read.run<NamedBatch>(LIST, [
    tenant ?? null,
    unsealedBefore ?? null,
    before,
    limit,
  ]);
  return Promise.all(rows.map((row) => view(core, row)));
}

async function view(core: Core, row: NamedBatch): Promise<StoredBatch> {
  return batchOf(row, {
    tenant: row.tenant_name,
    states: await core.connections.read.run<StateCount>(STATES, [row.id]),
    batchId: core.batchIds.encode,
    jobId: core.ids.encode,
  });
}
