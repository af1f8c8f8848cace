import { LATE_CALL } from "../../../job/wait.ts";
import { WAIT_COLUMNS, type WaitRow, waitOfJob } from "../../rows/wait-rows.ts";
import type { WaitOfJob } from "../../verbs/waits.ts";
import type { Core } from "../core.ts";

const OF_JOB = `SELECT ${WAIT_COLUMNS} FROM millrace.wait WHERE job = $1 AND type <> '${LATE_CALL}' ORDER BY id`;

/** All waits of a job, also those that are over, in the order in which they began. */
export async function waits(core: Core, jobId: string): Promise<WaitOfJob[]> {
  const rows = await core.connections.read.run<WaitRow>(OF_JOB, [core.ids.decode(jobId) ?? -1]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  return rows.map((row) => waitOfJob(row, core.names.stage(row.stage).name));
}
