// A limiter as it is stored, for both stores: the rule in force, the rule of the code, and what was taken of its budgets.

import type { LimiterRule } from "../../job/options/limiter.ts";
import { bucketLevel } from "../decide/attempt/limiter.ts";
import type { LimiterState } from "../verbs/limiters.ts";

/** The columns of its rule. */
export const RULE_COLUMNS = "count, per_ms, per_day, per_tenant_day";
export const LIMITER_COLUMNS = `name, ${RULE_COLUMNS}, level, level_at, blocked_until, code, is_set`;

export interface StoredLimiter {
  readonly name: string;
  readonly count: number;
  readonly per_ms: number;
  readonly per_day: number | null;
  readonly per_tenant_day: number | null;
  readonly level: number;
  readonly level_at: number;
  readonly blocked_until: number;
  /** The rule of the code, as JSON. NULL: the code has none. */
  readonly code: string | null;
  readonly is_set: boolean | number;
}

/** What was taken today. The tenant is NULL for all together. */
export interface LimiterUse {
  readonly limiter: string;
  readonly tenant: string | null;
  readonly used: number;
}

/** Whose use is counted for all tenants together. */
export const ALL_TENANTS = 0;
export const DAY_MS = 86_400_000;

export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** In the order of `RULE_COLUMNS`. */
export function ruleColumns({ count, perMs, perDay, perTenantPerDay }: LimiterRule) {
  return [count, perMs, perDay ?? null, perTenantPerDay ?? null] as const;
}

/** Always the same text for the same rule, so that a change is seen. */
export function ruleText({ count, perMs, perDay, perTenantPerDay }: LimiterRule): string {
  return JSON.stringify({ count, perMs, perDay, perTenantPerDay });
}

export function ruleOf({ count, per_ms, per_day, per_tenant_day }: StoredLimiter): LimiterRule {
  return {
    count,
    perMs: per_ms,
    ...(per_day !== null && { perDay: per_day }),
    ...(per_tenant_day !== null && { perTenantPerDay: per_tenant_day }),
  };
}

/** Whether the limiter has a budget for a day, so that its use is counted. */
export function isBudgeted({ per_day, per_tenant_day }: Pick<StoredLimiter, "per_day" | "per_tenant_day">): boolean {
  return per_day !== null || per_tenant_day !== null;
}

export function limiterStates(
  rows: readonly StoredLimiter[],
  uses: readonly LimiterUse[],
  now: number,
): LimiterState[] {
  return rows.map((row) => {
    const own = uses.filter(({ limiter }) => limiter === row.name);
    return {
      name: row.name,
      rule: ruleOf(row),
      isSet: Boolean(row.is_set),
      ...(row.code !== null && { codeRule: JSON.parse(row.code) as LimiterRule }),
      left: bucketLevel(row, now),
      ...(row.blocked_until > now && { blockedUntil: row.blocked_until }),
      ...(isBudgeted(row) && {
        usedToday: own.find(({ tenant }) => tenant === null)?.used ?? 0,
        tenants: own.flatMap(({ tenant, used }) => (tenant === null ? [] : [{ tenant, used }])),
      }),
    };
  });
}
