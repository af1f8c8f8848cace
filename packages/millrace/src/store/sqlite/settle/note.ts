// Notes: the progress and the log lines of running attempts.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { HAS_LOGS } from "../../codes.ts";
import { linesToStore } from "../../decide/attempt/log-lines.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Note } from "../../verbs/attempts.ts";
import type { Core } from "../core.ts";
import { addFlag, heldRow } from "./belongings.ts";

const SET_PROGRESS = "UPDATE job SET progress = ?, updated_at = ? WHERE id = ?";
const ADD_LOG = "INSERT INTO log (job, at, level, message, data) VALUES (?, ?, ?, ?, ?)";
const COUNT_LOGS = "SELECT count(*) AS count FROM log WHERE job = ?";

export function note(core: Core, lease: Lease, { progress, logs }: Note): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  if (progress) core.statement(SET_PROGRESS).run(JSON.stringify(progress), core.clock.now(), row.id);
  if (logs?.length) addLogs(core, row, logs);
  return "written";
}

function addLogs(core: Core, row: JobRow, logs: NonNullable<Note["logs"]>): void {
  const { count } = core.statement(COUNT_LOGS).get(row.id) as { count: number };
  const lines = linesToStore(logs, count, core.clock.now());
  if (lines.length === 0) return;
  for (const line of lines) core.statement(ADD_LOG).run(row.id, line.at, line.level, line.message, line.data ?? null);
  addFlag(core, row, HAS_LOGS);
}
