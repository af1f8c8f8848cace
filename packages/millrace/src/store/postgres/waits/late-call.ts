import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { LATE_CALL } from "../../../job/wait.ts";
import { lateWake } from "../../decide/waits.ts";
import { ANSWERED } from "../../waits/codes.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { wake } from "./waits.ts";

const LOCK = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE`;
const ADD = `INSERT INTO millrace.wait (job, stage, type, name, state, since, tenant, answered_at)
  VALUES ($1, $2, '${LATE_CALL}', $3, ${ANSWERED}, $4, $5, $4)
  ON CONFLICT (job, stage, type, name) DO NOTHING`;

/** The token is still that of the suspended attempt, because a settle leaves it to the next claim. */
export async function wakeLate(core: Core, lease: Lease, call: string): Promise<WriteAnswer | "running"> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  const answer = await core.connections.write.transact(async (tx): Promise<WriteAnswer | "running"> => {
    const [found] = await tx.run<LockedRow>(LOCK, [core.clock.given, key]);
    const row = lateWake(found, lease.token);
    if (typeof row === "string") return row;
    await tx.run(ADD, [row.id, row.stage, call, row.now, row.tenant]);
    await wake(tx, row);
    return "written";
  });
  if (answer === "written") core.voice.say("work");
  return answer;
}
