// Whether a wait for other jobs is over.

import {
  CANCEL_DEPENDENT,
  CANCEL_OF_WAIT,
  ENDED_CANCELLED,
  ENDED_FAILED,
  FORGOTTEN,
  modeOf,
  RUNS_YET,
} from "../../children/codes.ts";
import { joinOf } from "../../decide/children.ts";
import { ANSWERED, DORMANT, OPEN } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { wake } from "../waits/waits.ts";
import { leaveWork } from "./queue.ts";

const HAS_OPEN = `SELECT 1 FROM edge WHERE wait = ? AND state = ${RUNS_YET} LIMIT 1`;
const FIRST = "SELECT min(id) AS id FROM edge WHERE wait = ? AND state = ?";
const WAIT = "SELECT id, job, state, details FROM wait WHERE id = ?";
const ANSWER = `UPDATE wait SET state = ${ANSWERED}, answered_at = ?, source = ? WHERE id = ?`;

/** Answers the wait if it is over, and wakes the job that waits. */
export function joinWait(core: Core, id: number, now: number): void {
  const wait = core.statement(WAIT).get(id) as
    | { id: number; job: number; state: number; details: string | null }
    | undefined;
  if (!wait || (wait.state !== OPEN && wait.state !== DORMANT)) return;
  const first = (state: number) => (core.statement(FIRST).get(id, state) as { id: number | null }).id;
  const join = joinOf(modeOf(wait.details), {
    isOpen: core.statement(HAS_OPEN).get(id) !== undefined,
    failed: first(ENDED_FAILED),
    cancelled: first(ENDED_CANCELLED),
    forgotten: first(FORGOTTEN),
  });
  if (join === "open") return;
  const row = findRow(core, wait.job);
  if (!row) return;
  if (join === "hopeless") return leaveWork(core, CANCEL_DEPENDENT, row.id);
  const failed = typeof join === "object" ? join.failed : null;
  core.statement(ANSWER).run(now, failed, id);
  if (failed !== null) leaveWork(core, CANCEL_OF_WAIT, id);
  if (wait.state !== OPEN) return;
  wake(core, row, now);
  core.wakePools();
}
