import type { BatchCounts, EndedBatch } from "../../../job/report/batch-view.ts";
import type { Core } from "../core.ts";

const OF_CALLBACK = "SELECT id, counts FROM batch WHERE callback = ?";

/** The batch at whose end the job was submitted, unless it was deleted since. */
export function endedBatchOf(core: Core, job: number): { batch?: EndedBatch } {
  const row = core.statement(OF_CALLBACK).get(job) as { id: number; counts: string } | undefined;
  return row ? { batch: { id: core.batchIds.encode(row.id), ...(JSON.parse(row.counts) as BatchCounts) } } : {};
}
