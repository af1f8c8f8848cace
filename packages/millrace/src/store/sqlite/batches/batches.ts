import { CANCEL_OF_BATCH, ENDED_FAILED, HAS_WAITER, JOIN_BATCH, MEMBER } from "../../children/codes.ts";
import { batchEnded, batchSealed, refuseBatches } from "../../decide/batches.ts";
import { type BatchRow, batchOf } from "../../rows/batch-row.ts";
import type { BatchFilter, BatchRefusal, NewBatch, StoredBatch } from "../../verbs/batches.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { Submission, SubmitAnswer } from "../../verbs/submission.ts";
import { addEdges } from "../children/edges.ts";
import { leaveWork } from "../children/queue.ts";
import type { Core, ReadView } from "../core.ts";
import { submit } from "../submit/submit.ts";
import { statesOf } from "./join.ts";

const ADD = "INSERT INTO batch (tenant, created_at, on_end) VALUES (?, ?, ?) RETURNING id";
const OPEN = "SELECT count(*) AS count FROM batch WHERE tenant = ? AND ended_at IS NULL";
const FIND = "SELECT * FROM batch WHERE id = ?";
const SEAL = "UPDATE batch SET sealed_at = coalesce(sealed_at, ?) WHERE id = ?";
const CANCEL = "UPDATE batch SET cancelled_at = ?1, sealed_at = coalesce(sealed_at, ?1) WHERE id = ?2";
const LIST = `SELECT * FROM batch WHERE (?1 IS NULL OR tenant = ?1) AND (?2 IS NULL OR (sealed_at IS NULL AND created_at < ?2))
  AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4`;

const FAILED_MEMBERS = `SELECT job FROM edge WHERE batch = ? AND state = ${ENDED_FAILED} ORDER BY id LIMIT ?`;

export function failedMembers(core: ReadView, batchId: string, limit: number): string[] {
  const rows = core.statement(FAILED_MEMBERS).all(core.batchIds.decode(batchId) ?? -1, limit) as { job: number }[];
  return rows.map(({ job }) => core.ids.encode(job));
}

export function createBatch(core: Core, { tenant, onEnd }: NewBatch): string {
  const owner = core.names.tenant(tenant);
  refuseBatches(core.options.limits, (core.statement(OPEN).get(owner) as { count: number }).count);
  const values = [owner, core.clock.now(), onEnd ? JSON.stringify(onEnd) : null] as const;
  return core.batchIds.encode((core.statement(ADD).get(...values) as { id: number }).id);
}

export function addToBatch(core: Core, batchId: string, submission: Submission): SubmitAnswer | BatchRefusal {
  const batch = findRow(core, batchId);
  if (!batch || core.names.tenantName(batch.tenant) !== submission.tenant) return { type: "not-found" };
  const conflict = batchSealed(batch);
  if (conflict) return conflict;
  const jobs = submission.jobs.map((job) => ({ ...job, flags: HAS_WAITER }));
  const [answer] = submit(core, [{ ...submission, jobs }]);
  if (answer?.type !== "accepted") return answer as SubmitAnswer;
  addEdges(
    core,
    answer.jobIds.map((id, place) => ({
      type: MEMBER,
      batch: batch.id,
      job: core.ids.decode(id) as number,
      place,
    })),
  );
  return answer;
}

export function sealBatch(core: Core, batchId: string): ControlAnswer {
  const batch = findRow(core, batchId);
  if (!batch) return "not-found";
  core.statement(SEAL).run(core.clock.now(), batch.id);
  leaveWork(core, JOIN_BATCH, batch.id);
  return "done";
}

export function cancelBatch(core: Core, batchId: string): ControlAnswer {
  const batch = findRow(core, batchId);
  if (!batch) return "not-found";
  const conflict = batchEnded(batch);
  if (conflict) return conflict;
  core.statement(CANCEL).run(core.clock.now(), batch.id);
  leaveWork(core, CANCEL_OF_BATCH, batch.id);
  leaveWork(core, JOIN_BATCH, batch.id);
  return "done";
}

export function findBatch(core: ReadView, batchId: string): StoredBatch | undefined {
  const row = findRow(core, batchId);
  return row && view(core, row);
}

export function batches(core: ReadView, { tenant, unsealedBefore, beforeId, limit }: BatchFilter): StoredBatch[] {
  const owner = tenant === undefined ? null : (core.names.findTenant(tenant) ?? -1);
  const before = beforeId === undefined ? null : (core.batchIds.decode(beforeId) ?? -1);
  const rows = core.statement(LIST).all(owner, unsealedBefore ?? null, before, limit);
  return (rows as unknown as BatchRow[]).map((row) => view(core, row));
}

function view(core: ReadView, row: BatchRow): StoredBatch {
  return batchOf(row, {
    tenant: core.names.tenantName(row.tenant),
    states: statesOf(core, row.id),
    batchId: core.batchIds.encode,
    jobId: core.ids.encode,
  });
}

function findRow(core: ReadView, batchId: string): BatchRow | undefined {
  return core.statement(FIND).get(core.batchIds.decode(batchId) ?? -1) as unknown as BatchRow | undefined;
}
