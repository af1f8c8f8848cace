import { LATE_CALL, type WaitType } from "../../../job/wait.ts";
import type { WaitOfJob } from "../../verbs/waits.ts";
import { waitStateOf } from "../../waits/codes.ts";
import type { Core } from "../core.ts";

const OF_JOB = `SELECT stage, type, name, state, since, until, value, answered_at FROM millrace.wait WHERE job = $1 AND type <> '${LATE_CALL}' ORDER BY id`;

/** All waits of a job, also those that are over, in the order in which they began. */
export async function waits(core: Core, jobId: string): Promise<WaitOfJob[]> {
  const rows = await core.connections.read.run<{
    stage: number;
    type: WaitType;
    name: string;
    state: number;
    since: number;
    until: number | null;
    value: string | null;
    answered_at: number | null;
  }>(OF_JOB, [core.ids.decode(jobId) ?? -1]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  return rows.map(({ stage, state, until, value, answered_at, ...row }) => ({
    ...row,
    stage: core.names.stage(stage).name,
    state: waitStateOf(state),
    ...(until !== null && { until }),
    ...(value !== null && { value }),
    ...(answered_at !== null && { answeredAt: answered_at }),
  }));
}
