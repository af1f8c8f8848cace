import { LATE_CALL, type StoredWait, type WaitType } from "../../../job/wait.ts";
import type { WaitOfJob } from "../../verbs/waits.ts";
import { waitStateOf } from "../../waits/codes.ts";
import type { ReadView } from "../core.ts";

const OF_JOB = `SELECT stage, type, name, state, since, until, value, answered_at FROM wait WHERE job = ? AND type <> '${LATE_CALL}' ORDER BY id`;

/** All waits of a job, also those that are over, in the order in which they began. */
export function waits(view: ReadView, jobId: string): WaitOfJob[] {
  const rows = view.statement(OF_JOB).all(view.ids.decode(jobId) ?? -1) as unknown as {
    stage: number;
    type: WaitType;
    name: string;
    state: number;
    since: number;
    until: number | null;
    value: string | null;
    answered_at: number | null;
  }[];
  return rows.map(({ stage, state, until, value, answered_at, ...row }) => ({
    ...row,
    stage: view.names.stage(stage).name,
    state: waitStateOf(state) satisfies StoredWait["state"],
    ...(until !== null && { until }),
    ...(value !== null && { value }),
    ...(answered_at !== null && { answeredAt: answered_at }),
  }));
}
