import {
  HAS_ARTIFACTS,
  HAS_ATTEMPTS,
  HAS_LARGE_PAYLOAD,
  HAS_LARGE_RESULT,
  HAS_LOGS,
  HAS_SHARES,
  HAS_STEPS,
} from "../../codes.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { HAS_STREAMS } from "../../streams/codes.ts";
import { HAS_SIGNALS, HAS_UNDOS, HAS_WAITS, IS_CONTINUED } from "../../waits/codes.ts";
import { deleteEdges } from "../children/forget.ts";
import type { Core } from "../core.ts";

const DELETE_JOB = "DELETE FROM job WHERE id = ?";
const DELETE_BODY = "DELETE FROM body WHERE id = ?";
const DELETE_STEPS = "DELETE FROM step WHERE job = ?";
const DELETE_LOGS = "DELETE FROM log WHERE job = ?";
const DELETE_ATTEMPTS = "DELETE FROM attempt WHERE job = ?";
const DELETE_ARTIFACTS = "DELETE FROM artifacts.artifact WHERE job = ?";
const DELETE_WAITS = "DELETE FROM wait WHERE job = ?";
const DELETE_SIGNALS = "DELETE FROM signal WHERE job = ?";
const DELETE_WORKFLOW = "DELETE FROM workflow WHERE job = ?";
const DELETE_STREAMS = "DELETE FROM stream WHERE job = ?";
const DELETE_PARTS = "DELETE FROM stream_part WHERE job = ?";
const DELETE_UNDOS = "DELETE FROM undo WHERE job = ?";
const DELETE_SHARES = "DELETE FROM job_share WHERE job = ?";

/** A finished job and all that belongs to it; its flags say which tables to touch. */
export function deleteRow(core: Core, row: Pick<JobRow, "id" | "stage" | "tenant" | "standing" | "flags">): void {
  const { id, flags } = row;
  if (flags & HAS_LARGE_PAYLOAD) core.statement(DELETE_BODY).run(id * 2);
  if (flags & HAS_LARGE_RESULT) core.statement(DELETE_BODY).run(id * 2 + 1);
  if (flags & HAS_STEPS) core.statement(DELETE_STEPS).run(id);
  if (flags & HAS_LOGS) core.statement(DELETE_LOGS).run(id);
  if (flags & HAS_ATTEMPTS) core.statement(DELETE_ATTEMPTS).run(id);
  if (flags & HAS_ARTIFACTS) core.statement(DELETE_ARTIFACTS).run(id);
  if (flags & HAS_SHARES) core.statement(DELETE_SHARES).run(id);
  deleteEdges(core, row);
  if (flags & HAS_WAITS) core.statement(DELETE_WAITS).run(id);
  if (flags & HAS_UNDOS) core.statement(DELETE_UNDOS).run(id);
  if (flags & (IS_CONTINUED | HAS_UNDOS)) core.statement(DELETE_WORKFLOW).run(id);
  if (flags & HAS_SIGNALS) core.statement(DELETE_SIGNALS).run(id);
  if (flags & HAS_STREAMS) {
    core.statement(DELETE_PARTS).run(id);
    core.statement(DELETE_STREAMS).run(id);
  }
  if (flags & HOLDS_KEY) core.places.leave(id);
  core.statement(DELETE_JOB).run(id);
  core.counts.leave(row.stage, row.tenant, row.standing);
}

/** Returns how many they were. */
export function deleteRows(core: Core, rows: unknown[]): number {
  for (const row of rows as JobRow[]) deleteRow(core, row);
  return rows.length;
}
