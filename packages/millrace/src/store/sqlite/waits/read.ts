import { LATE_CALL } from "../../../job/wait.ts";
import { WAIT_COLUMNS, type WaitRow, waitOfJob } from "../../rows/wait-rows.ts";
import type { WaitOfJob } from "../../verbs/waits.ts";
import type { ReadView } from "../core.ts";

const OF_JOB = `SELECT ${WAIT_COLUMNS} FROM wait WHERE job = ? AND type <> '${LATE_CALL}' ORDER BY id`;

/** All waits of a job, also those that are over, in the order in which they began. */
export function waits(view: ReadView, jobId: string): WaitOfJob[] {
  const rows = view.statement(OF_JOB).all(view.ids.decode(jobId) ?? -1) as unknown as WaitRow[];
  return rows.map((row) => waitOfJob(row, view.names.stage(row.stage).name));
}
