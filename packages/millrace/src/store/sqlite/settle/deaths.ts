// Reads what the attempt of a job stored whose process died, and how its earlier processes died.

import type { JobPast, Neighbours } from "../../../job/crash.ts";
import { HAS_ATTEMPTS, HAS_STEPS } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Core } from "../core.ts";

// Answers to a hold are stored as steps too, but not by an attempt.
const NEW_STEP =
  "SELECT 1 FROM step WHERE job = ? AND stage = ? AND saved_at >= ? AND name NOT GLOB 'released:*' LIMIT 1";
const LONE_DEATHS = "SELECT beside FROM attempt WHERE job = ? AND stage = ? AND beside IS NOT NULL";
const LAST_DEATH = "SELECT max(died_at) AS at FROM instance";

export function pastOf(core: Core, row: JobRow): JobPast {
  return { savedStep: savedStep(core, row), loneDeaths: loneDeathsOf(core, row) };
}

function savedStep(core: Core, { id, stage, flags, started_at }: JobRow): boolean {
  if (!(flags & HAS_STEPS) || started_at === null) return false;
  return core.statement(NEW_STEP).get(id, stage, started_at) !== undefined;
}

export function loneDeathsOf(core: Core, { id, stage, flags }: JobRow): Neighbours[] {
  if (!(flags & HAS_ATTEMPTS)) return [];
  const rows = core.statement(LONE_DEATHS).all(id, stage) as { beside: string }[];
  return rows.map(({ beside }) => JSON.parse(beside) as string[]);
}

/** When a process was last found dead with jobs in hand; 0: never. */
export function lastDeathAt(core: Core): number {
  return (core.statement(LAST_DEATH).get() as { at: number | null }).at ?? 0;
}
