import { AppError } from "../../../lib/app-error.ts";
import type { TakeAnswer } from "../../verbs/limiters.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const FIND =
  "SELECT count, per_ms, level, level_at, blocked_until FROM millrace.limiter WHERE name = $1 FOR NO KEY UPDATE";
const SET_LEVEL = "UPDATE millrace.limiter SET level = $2, level_at = $3 WHERE name = $1";
const BLOCK = "UPDATE millrace.limiter SET blocked_until = greatest(blocked_until, $2) WHERE name = $1";
// A changed rule starts full; an unchanged one keeps what was taken, also over a restart.
const DEFINE = `INSERT INTO millrace.limiter (name, count, per_ms, level, level_at) VALUES ($2, $3, $4, $3, ${NOW})
  ON CONFLICT (name) DO UPDATE SET count = excluded.count, per_ms = excluded.per_ms, level = excluded.level,
  level_at = excluded.level_at WHERE limiter.count <> excluded.count OR limiter.per_ms <> excluded.per_ms`;

interface LimiterRow {
  count: number;
  per_ms: number;
  level: number;
  level_at: number;
  blocked_until: number;
}

export async function setLimiters(
  core: Core,
  limiters: { name: string; count: number; perMs: number }[],
): Promise<void> {
  const sorted = [...limiters].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, count, perMs } of sorted) {
    await core.connections.write.run(DEFINE, [core.clock.given, name, count, perMs]);
  }
}

/** A token bucket: full at rest, refilled evenly. Its row is ours until the transaction ends. */
export async function takeFromLimiter(
  core: Core,
  tx: Runner,
  name: string,
  cost: number,
  now: number,
): Promise<TakeAnswer> {
  const [row] = await tx.run<LimiterRow>(FIND, [name]);
  if (!row) {
    throw new AppError("limiter-unknown", `No limiter is called "${name}".`, {
      hint: `Define it: Millrace.open({ limiters: { "${name}": { count: 60, perMs: 60_000 } } }).`,
    });
  }
  if (cost > row.count) {
    throw new AppError("limiter-too-small", `A cost of ${cost} never fits into "${name}", which holds ${row.count}.`);
  }
  if (row.blocked_until > now) return { retryAt: row.blocked_until };
  const perUnitMs = row.per_ms / row.count;
  const level = Math.min(row.count, row.level + Math.max(0, now - row.level_at) / perUnitMs);
  if (level >= cost) {
    await tx.run(SET_LEVEL, [name, level - cost, Math.max(now, row.level_at)]);
    return "taken";
  }
  // Spread those who wait over the next unit, so that they do not all come back at the same moment for the same place.
  const waitMs = (cost - level + core.random()) * perUnitMs;
  return { retryAt: now + Math.max(1, Math.ceil(waitMs)) };
}

export async function blockLimiter(tx: Runner, name: string, until: number): Promise<void> {
  await tx.run(BLOCK, [name, until]);
}
