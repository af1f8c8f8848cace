import { decideTake, type LimiterRow } from "../../decide/attempt/limiter.ts";
import type { LimiterAnswer } from "../../verbs/limiters.ts";
import type { Core } from "../core.ts";

const FIND = "SELECT count, per_ms, level, level_at, blocked_until FROM limiter WHERE name = ?";
const SET_LEVEL = "UPDATE limiter SET level = ?, level_at = ? WHERE name = ?";
const BLOCK = "UPDATE limiter SET blocked_until = max(blocked_until, ?) WHERE name = ?";
// A changed rule starts full; an unchanged one keeps what was taken, also over a restart.
const DEFINE = `INSERT INTO limiter (name, count, per_ms, level, level_at) VALUES (?1, ?2, ?3, ?2, ?4)
  ON CONFLICT (name) DO UPDATE SET count = ?2, per_ms = ?3, level = ?2, level_at = ?4
  WHERE count <> ?2 OR per_ms <> ?3`;

export function setLimiters(core: Core, limiters: { name: string; count: number; perMs: number }[]): void {
  for (const { name, count, perMs } of limiters) core.statement(DEFINE).run(name, count, perMs, core.clock.now());
}

export function takeFromLimiter(core: Core, name: string, cost: number): LimiterAnswer {
  const row = core.statement(FIND).get(name) as unknown as LimiterRow | undefined;
  const now = core.clock.now();
  const decision = decideTake(row, { name, cost, now, random: core.random });
  if ("retryAt" in decision) return decision;
  core.statement(SET_LEVEL).run(decision.level, now, name);
  return "taken";
}

/** Nothing can be taken from the limiter for this long. */
export function closeLimiter(core: Core, name: string, forMs: number): void {
  core.statement(BLOCK).run(core.clock.now() + forMs, name);
}
