import { decideTake, type LimiterRow } from "../../decide/attempt/limiter.ts";
import type { LimiterAnswer } from "../../verbs/limiters.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";

const FIND = statement<{ name: string }>(`SELECT count, per_ms, level, level_at, blocked_until
  FROM millrace.limiter
  WHERE name = :name
  FOR NO KEY UPDATE`);
const SET_LEVEL = statement<{ name: string; level: number; at: number }>(`UPDATE millrace.limiter
  SET level = :level, level_at = :at
  WHERE name = :name`);
const BLOCK = statement<{ name: string; until: number }>(`UPDATE millrace.limiter
  SET blocked_until = greatest(blocked_until, :until)
  WHERE name = :name`);
// A changed rule starts full; an unchanged one keeps what was taken, also over a restart.
const DEFINE = statement<{ now: Value; name: string; count: number; perMs: number }>(`INSERT
  INTO millrace.limiter (name, count, per_ms, level, level_at)
  VALUES (:name, :count, :perMs, :count, ${nowBy(":now")})
  ON CONFLICT (name) DO UPDATE
  SET count = excluded.count, per_ms = excluded.per_ms, level = excluded.level, level_at = excluded.level_at
  WHERE limiter.count <> excluded.count OR limiter.per_ms <> excluded.per_ms`);

export async function setLimiters(
  core: Core,
  limiters: { name: string; count: number; perMs: number }[],
): Promise<void> {
  const sorted = [...limiters].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, count, perMs } of sorted) {
    await core.connections.write.run(...DEFINE({ now: core.clock.given, name, count, perMs }));
  }
}

/** The row of the limiter is locked until the transaction ends. */
export async function takeFromLimiter(
  core: Core,
  tx: StatementRunner,
  name: string,
  cost: number,
  now: number,
): Promise<LimiterAnswer> {
  const [row] = await tx.run<LimiterRow>(...FIND({ name }));
  const decision = decideTake(row, { name, cost, now, random: core.random });
  if ("retryAt" in decision) return decision;
  await tx.run(...SET_LEVEL({ name, level: decision.level, at: Math.max(now, row?.level_at ?? 0) }));
  return "taken";
}

export async function blockLimiter(tx: StatementRunner, name: string, until: number): Promise<void> {
  await tx.run(...BLOCK({ name, until }));
}
