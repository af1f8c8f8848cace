// The end of a batch. Its callback is submitted in the commit that ends the last member.

import { ENDS_BATCH, RUNS_YET } from "../../children/codes.ts";
import { submissionRefused } from "../../decide/children.ts";
import { type BatchRow, batchCounts, type StateCount } from "../../rows/batch-row.ts";
import type { NewJob } from "../../verbs/submission.ts";
import type { Core, ReadView } from "../core.ts";
import { submit } from "../submit/submit.ts";

const OPEN_BATCH = "SELECT * FROM batch WHERE id = ? AND sealed_at IS NOT NULL AND ended_at IS NULL";
const HAS_OPEN = `SELECT 1 FROM edge WHERE batch = ? AND state = ${RUNS_YET} LIMIT 1`;
const STATES = "SELECT state, count(*) AS count FROM edge WHERE batch = ? GROUP BY state";
const END = "UPDATE batch SET ended_at = ?, callback = ?, counts = ? WHERE id = ?";

export function joinBatch(core: Core, id: number, now: number): void {
  const batch = core.statement(OPEN_BATCH).get(id) as unknown as BatchRow | undefined;
  if (!batch || core.statement(HAS_OPEN).get(id)) return;
  const counts = JSON.stringify(batchCounts(statesOf(core, id)));
  core.statement(END).run(now, batch.on_end === null ? null : submitCallback(core, batch, batch.on_end), counts, id);
}

function submitCallback(core: Core, batch: BatchRow, onEnd: string): number {
  const job = { ...(JSON.parse(onEnd) as NewJob), flags: ENDS_BATCH };
  const [answer] = submit(core, [{ tenant: core.names.tenantName(batch.tenant), isExempt: true, jobs: [job] }]);
  if (answer?.type !== "accepted") throw submissionRefused(answer);
  core.wakePools();
  return core.ids.decode(answer.jobIds[0] as string) as number;
}

export function statesOf(core: ReadView, id: number): StateCount[] {
  return core.statement(STATES).all(id) as unknown as StateCount[];
}
