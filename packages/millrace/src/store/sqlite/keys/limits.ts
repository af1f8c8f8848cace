import { HOLDS_KEY } from "../../keys/codes.ts";
import { type DeadHolderRow, deadKeyHoldersOf, type SharedLimitRow, sharedLimitOf } from "../../rows/key-rows.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { DeadKeyHolders, SharedLimitFacts } from "../../verbs/limits/shared-limits.ts";
import type { Core } from "../core.ts";
import { runningOf } from "./room.ts";

const ALL = "SELECT name, total AS defined, set_total AS setTotal FROM concurrency_limit ORDER BY name";
const DEAD_HOLDERS = `SELECT id, count(*) OVER () AS count FROM job
  WHERE finished_at IS NOT NULL AND flags & ${HOLDS_KEY} ORDER BY finished_at LIMIT 5`;
const SET = "UPDATE concurrency_limit SET set_total = ? WHERE name = ?";

export function sharedLimits(core: Core): SharedLimitFacts[] {
  core.names.refresh();
  const rows = core.statement(ALL).all() as unknown as SharedLimitRow[];
  return rows.map((row) => {
    const kinds = core.names.kindsUnder(row.name);
    const names = kinds.map((kind) => core.names.rules(kind).name);
    return sharedLimitOf(row, { kinds: names, running: runningOf(core, kinds) });
  });
}

export function setSharedLimit(core: Core, name: string, total: number | null): ControlAnswer {
  const { changes } = core.statement(SET).run(total, name);
  if (Number(changes) === 0) return "not-found";
  core.wakePools();
  return "done";
}

export function deadKeyHolders(core: Core): DeadKeyHolders {
  const rows = core.statement(DEAD_HOLDERS).all() as unknown as DeadHolderRow[];
  return deadKeyHoldersOf(rows, core.ids.encode);
}
