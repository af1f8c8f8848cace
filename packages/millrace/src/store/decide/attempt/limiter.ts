// A token bucket: full at rest, refilled evenly.

import { AppError } from "../../../lib/app-error.ts";

/** A limiter as it is stored. */
export interface LimiterRow {
  count: number;
  per_ms: number;
  level: number;
  level_at: number;
  blocked_until: number;
}

/** Taken: the new level. Otherwise the time to try again. */
export type LimiterDecision = { readonly level: number } | { readonly retryAt: number };

export function decideTake(
  row: LimiterRow | undefined,
  { name, cost, now, random }: { name: string; cost: number; now: number; random: () => number },
): LimiterDecision {
  if (!row) {
    throw new AppError("limiter-unknown", `Unknown limiter "${name}".`, {
      hint: `Define it: Millrace.open({ limiters: { "${name}": { count: 60, perMs: 60_000 } } }).`,
    });
  }
  if (cost > row.count) {
    throw new AppError(
      "limiter-too-small",
      `A cost of ${cost} is more than the limiter "${name}" can hold: ${row.count}.`,
    );
  }
  if (row.blocked_until > now) return { retryAt: row.blocked_until };
  const perUnitMs = row.per_ms / row.count;
  const level = Math.min(row.count, row.level + Math.max(0, now - row.level_at) / perUnitMs);
  if (level >= cost) return { level: level - cost };
  // Jobs that wait are spread over the next unit, so that they do not all come back at the same moment.
  const waitMs = (cost - level + random()) * perUnitMs;
  return { retryAt: now + Math.max(1, Math.ceil(waitMs)) };
}
