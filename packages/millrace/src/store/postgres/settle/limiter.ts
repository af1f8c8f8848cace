import { decideTake, type LimiterRow } from "../../decide/attempt/limiter.ts";
import type { LimiterAnswer } from "../../verbs/limiters.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const FIND =
  "SELECT count, per_ms, level, level_at, blocked_until FROM millrace.limiter WHERE name = $1 FOR NO KEY UPDATE";
const SET_LEVEL = "UPDATE millrace.limiter SET level = $2, level_at = $3 WHERE name = $1";
const BLOCK = "UPDATE millrace.limiter SET blocked_until = greatest(blocked_until, $2) WHERE name = $1";
// A changed rule starts full; an unchanged one keeps what was taken, also over a restart.
const DEFINE = `INSERT INTO millrace.limiter (name, count, per_ms, level, level_at) VALUES ($2, $3, $4, $3, ${NOW})
  ON CONFLICT (name) DO UPDATE SET count = excluded.count, per_ms = excluded.per_ms, level = excluded.level,
  level_at = excluded.level_at WHERE limiter.count <> excluded.count OR limiter.per_ms <> excluded.per_ms`;

export async function setLimiters(
  core: Core,
  limiters: { name: string; count: number; perMs: number }[],
): Promise<void> {
  const sorted = [...limiters].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, count, perMs } of sorted) {
    await core.connections.write.run(DEFINE, [core.clock.given, name, count, perMs]);
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
  const [row] = await tx.run<LimiterRow>(FIND, [name]);
  const decision = decideTake(row, { name, cost, now, random: core.random });
  if ("retryAt" in decision) return decision;
  await tx.run(SET_LEVEL, [name, decision.level, Math.max(now, row?.level_at ?? 0)]);
  return "taken";
}

export async function blockLimiter(tx: StatementRunner, name: string, until: number): Promise<void> {
  await tx.run(BLOCK, [name, until]);
}
