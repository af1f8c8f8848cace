import type { BatchCounts, EndedBatch } from "../../../job/report/batch-view.ts";
import { ENDS_BATCH } from "../../children/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";

const OF_CALLBACKS = "SELECT callback, id, counts FROM millrace.batch WHERE callback = ANY($1::bigint[])";

/** The batches at whose ends these jobs were submitted, by job. Most claims have no such job and run no query. */
export async function endedBatches(
  core: Core,
  rows: readonly { id: number; flags: number }[],
): Promise<Map<number, EndedBatch>> {
  const jobs = rows.filter(({ flags }) => flags & ENDS_BATCH).map(({ id }) => id);
  if (jobs.length === 0) return new Map();
  const found = await core.connections.write.run<{ callback: number; id: number; counts: string }>(OF_CALLBACKS, [
    numbers(jobs),
  ]);
  return new Map(
    found.map(({ callback, id, counts }) => [
      callback,
      { id: core.batchIds.encode(id), ...(JSON.parse(counts) as BatchCounts) },
    ]),
  );
}
