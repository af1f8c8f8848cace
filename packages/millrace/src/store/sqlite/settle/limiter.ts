import { AppError } from "../../../lib/app-error.ts";
import type { TakeAnswer } from "../../verbs/limiters.ts";
import type { Core } from "../core.ts";

const FIND = "SELECT count, per_ms, level, level_at, blocked_until FROM limiter WHERE name = ?";
const SET_LEVEL = "UPDATE limiter SET level = ?, level_at = ? WHERE name = ?";
const BLOCK = "UPDATE limiter SET blocked_until = max(blocked_until, ?) WHERE name = ?";
// A changed rule starts full; an unchanged one keeps what was taken, also over a restart.
const DEFINE = `INSERT INTO limiter (name, count, per_ms, level, level_at) VALUES (?1, ?2, ?3, ?2, ?4)
  ON CONFLICT (name) DO UPDATE SET count = ?2, per_ms = ?3, level = ?2, level_at = ?4
  WHERE count <> ?2 OR per_ms <> ?3`;

interface LimiterRow {
  count: number;
  per_ms: number;
  level: number;
  level_at: number;
  blocked_until: number;
}

export function setLimiters(core: Core, limiters: { name: string; count: number; perMs: number }[]): void {
  for (const { name, count, perMs } of limiters) core.statement(DEFINE).run(name, count, perMs, core.clock.now());
}

/** A token bucket: full at rest, refilled evenly. */
export function takeFromLimiter(core: Core, name: string, cost: number): TakeAnswer {
  const row = core.statement(FIND).get(name) as unknown as LimiterRow | undefined;
  if (!row) {
    throw new AppError("limiter-unknown", `No limiter is called "${name}".`, {
      hint: `Define it: Millrace.open({ limiters: { "${name}": { count: 60, perMs: 60_000 } } }).`,
    });
  }
  if (cost > row.count) {
    throw new AppError("limiter-too-small", `A cost of ${cost} never fits into "${name}", which holds ${row.count}.`);
  }
  const now = core.clock.now();
  if (row.blocked_until > now) return { retryAt: row.blocked_until };
  const perUnitMs = row.per_ms / row.count;
  const level = Math.min(row.count, row.level + Math.max(0, now - row.level_at) / perUnitMs);
  if (level >= cost) {
    core.statement(SET_LEVEL).run(level - cost, now, name);
    return "taken";
  }
  // Spread those who wait over the next unit, so that they do not all come back at the same moment for the same place.
  const waitMs = (cost - level + core.random()) * perUnitMs;
  return { retryAt: now + Math.max(1, Math.ceil(waitMs)) };
}

/** Nothing can be taken from the limiter for this long. */
export function closeLimiter(core: Core, name: string, forMs: number): void {
  core.statement(BLOCK).run(core.clock.now() + forMs, name);
}
