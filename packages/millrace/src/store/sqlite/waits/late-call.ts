import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { LATE_CALL } from "../../../job/wait.ts";
import { lateWake } from "../../decide/waits.ts";
import { ANSWERED } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { wake } from "./waits.ts";

const ADD = `INSERT INTO wait (job, stage, type, name, state, since, tenant, answered_at)
  VALUES (?1, ?2, '${LATE_CALL}', ?3, ${ANSWERED}, ?4, ?5, ?4) ON CONFLICT (job, stage, type, name) DO NOTHING`;

/** The token is still that of the suspended attempt, because a settle leaves it to the next claim. */
export function wakeLate(core: Core, lease: Lease, call: string): WriteAnswer | "running" {
  const row = lateWake(findRow(core, core.ids.decode(lease.jobId) ?? -1), lease.token);
  if (typeof row === "string") return row;
  const now = core.clock.now();
  core.statement(ADD).run(row.id, row.stage, call, now, row.tenant);
  wake(core, row, now);
  return "written";
}
