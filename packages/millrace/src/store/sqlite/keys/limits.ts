import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { DeadKeyHolders, SharedLimitFacts } from "../../verbs/limits/shared-limits.ts";
import type { Core } from "../core.ts";
import { runningOf } from "./room.ts";

const ALL = "SELECT name, total AS defined, set_total AS setTotal FROM concurrency_limit ORDER BY name";
const DEAD_HOLDERS = `SELECT id, count(*) OVER () AS count FROM job
  WHERE finished_at IS NOT NULL AND flags & 536870912 ORDER BY finished_at LIMIT 5`;
const SET = "UPDATE concurrency_limit SET set_total = ? WHERE name = ?";

export function sharedLimits(core: Core): SharedLimitFacts[] {
  core.names.refresh();
  const rows = core.statement(ALL).all() as { name: string; defined: number; setTotal: number | null }[];
  return rows.map(({ name, defined, setTotal }) => {
    const kinds = core.names.kindsUnder(name);
    return {
      name,
      defined,
      ...(setTotal !== null && { set: setTotal }),
      kinds: kinds.map((kind) => core.names.rules(kind).name).sort(),
      running: runningOf(core, kinds),
    };
  });
}

export function setSharedLimit(core: Core, name: string, total: number | null): ControlAnswer {
  const { changes } = core.statement(SET).run(total, name);
  if (Number(changes) === 0) return "not-found";
  core.wakePools();
  return "done";
}

export function deadKeyHolders(core: Core): DeadKeyHolders {
  const rows = core.statement(DEAD_HOLDERS).all() as { id: number; count: number }[];
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ id }) => core.ids.encode(id)) };
}
