// A token bucket: full at rest, refilled evenly.

import { AppError } from "../../../lib/app-error.ts";

/** A limiter as it is stored. */
export interface LimiterRow {
  count: number;
  per_ms: number;
  level: number;
  level_at: number;
  blocked_until: number;
  /** What may be taken on one day, by all tenants and by one. */
  per_day: number | null;
  per_tenant_day: number | null;
}

/** What was taken today. */
export interface DayUse {
  readonly all: number;
  readonly tenant: number;
}

/** Taken: the new level. Otherwise the time to try again. */
export type LimiterDecision = { readonly level: number } | { readonly retryAt: number };

export interface LimiterRequest {
  readonly name: string;
  readonly cost: number;
  readonly now: number;
  readonly random: () => number;
  readonly use: DayUse;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How much can be taken now, blocks and budgets aside. */
export function bucketLevel(
  { count, per_ms, level, level_at }: Pick<LimiterRow, "count" | "per_ms" | "level" | "level_at">,
  now: number,
): number {
  return Math.min(count, level + Math.max(0, now - level_at) / (per_ms / count));
}

function nextDayAt(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

function isOver(most: number | null, used: number): boolean {
  return most !== null && used > most;
}

export function decideTake(
  row: LimiterRow | undefined,
  { name, cost, now, random, use }: LimiterRequest,
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
  const budget = Math.min(row.per_day ?? cost, row.per_tenant_day ?? cost);
  if (cost > budget) {
    throw new AppError(
      "limiter-too-small",
      `A cost of ${cost} is more than the daily budget of the limiter "${name}": ${budget}.`,
    );
  }
  if (row.blocked_until > now) return { retryAt: row.blocked_until };
  if (isOver(row.per_day, use.all + cost) || isOver(row.per_tenant_day, use.tenant + cost)) {
    // Jobs that wait for the next day are spread over its first minute.
    return { retryAt: nextDayAt(now) + Math.floor(random() * MINUTE_MS) };
  }
  const perUnitMs = row.per_ms / row.count;
  const level = bucketLevel(row, now);
  if (level >= cost) return { level: level - cost };
  // Jobs that wait are spread over the next unit, so that they do not all come back at the same moment.
  const waitMs = (cost - level + random()) * perUnitMs;
  return { retryAt: now + Math.max(1, Math.ceil(waitMs)) };
}
