import type { Pace } from "../../../job/kind/pace.ts";
import type { Core } from "../core.ts";

const PURGE = "DELETE FROM window WHERE what = ? AND owner = ? AND (at <= ? OR at > ?) RETURNING count";
const ADD = `INSERT INTO window (what, owner, at, count) VALUES (?, ?, ?, ?)
  ON CONFLICT (what, owner, at) DO UPDATE SET count = count + excluded.count`;
const SUM = "SELECT count FROM window_sum WHERE what = ? AND owner = ?";
const ADD_SUM = `INSERT INTO window_sum (what, owner, count) VALUES (?, ?, ?)
  ON CONFLICT (what, owner) DO UPDATE SET count = count + excluded.count`;
const OLDEST = "SELECT at, count FROM window WHERE what = ? AND owner = ? ORDER BY at";

export interface WindowLimit {
  what: "submit" | "start";
  owner: number;
  count: number;
  perMs: number;
}

/** The submissions of a tenant. */
export function submitLimit(tenant: number, rate: Pace): WindowLimit {
  return { what: "submit", owner: tenant, ...rate };
}

/** Room left in a sliding window that is exact to the millisecond; each entry is deleted once, so the cost is even. */
export function windowRoom(core: Core, limit: WindowLimit, now: number): number {
  // Entries in the future were made before the clock was set back. They would block the limit until their time.
  const purged = core.statement(PURGE).all(limit.what, limit.owner, now - limit.perMs, now) as { count: number }[];
  const gone = purged.reduce((sum, row) => sum + row.count, 0);
  if (gone > 0) core.statement(ADD_SUM).run(limit.what, limit.owner, -gone);
  const sum = core.statement(SUM).get(limit.what, limit.owner) as { count: number } | undefined;
  return limit.count - (sum?.count ?? 0);
}

export function windowTake(core: Core, limit: WindowLimit, now: number, count: number): void {
  core.statement(ADD).run(limit.what, limit.owner, now, count);
  core.statement(ADD_SUM).run(limit.what, limit.owner, count);
}

/** When the entries leave room for `wanted`. */
export function windowFreeAt(core: Core, limit: WindowLimit, now: number, wanted: number): number {
  let missing = wanted - windowRoom(core, limit, now);
  if (missing <= 0) return now;
  for (const row of core.statement(OLDEST).iterate(limit.what, limit.owner) as Iterable<{
    at: number;
    count: number;
  }>) {
    missing -= row.count;
    if (missing <= 0) return row.at + limit.perMs;
  }
  return now + limit.perMs;
}
