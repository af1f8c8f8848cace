import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { isObject, type Option, type OptionValues, other, whole } from "../../lib/options/option.ts";

/** Longer than a day is of use for quotas of a month, but not longer than a year. */
const LONGEST_PERIOD_MS = 366 * 86_400_000;
const MOST = 1_000_000_000;

/** What may be taken from a limiter. */
export const LIMITER_OPTIONS = {
  /** How much may be taken in one period, 1 to 1,000,000,000. */
  count: whole(1, MOST),
  /** The period, in milliseconds. */
  perMs: whole(1, LONGEST_PERIOD_MS),
  /** How much may be taken on one day, by all tenants together. A day begins at midnight UTC. Default: no limit. */
  perDay: amount(),
  /** How much may be taken on one day by one tenant. Default: no limit. */
  perTenantPerDay: amount(),
} as const;

type RuleOptions = OptionValues<typeof LIMITER_OPTIONS>;

/** A rate limit that all processes share. */
export type LimiterRule = RuleOptions & Required<Pick<RuleOptions, "count" | "perMs">>;

const BAG: OptionBag = { what: "a limiter", options: LIMITER_OPTIONS };

/** Throws `invalid-request` with all problems at once. */
export function checkLimiterRule(rule: unknown): LimiterRule {
  checkOptions(BAG, rule);
  const { count, perMs } = rule as RuleOptions;
  checkOptions(BAG, { count: count ?? null, perMs: perMs ?? null });
  return rule as LimiterRule;
}

export function isLimiterRule(rule: unknown): boolean {
  if (!isObject(rule)) return false;
  const names = Object.keys(LIMITER_OPTIONS) as (keyof RuleOptions)[];
  const { count, perMs } = rule as RuleOptions;
  return (
    Object.keys(rule).every((name) => names.some((known) => known === name)) &&
    names.every((name) => {
      const value = (rule as RuleOptions)[name];
      return value === undefined || LIMITER_OPTIONS[name].accepts(value);
    }) &&
    count !== undefined &&
    perMs !== undefined
  );
}

function amount(): Option<number, undefined> {
  const isAmount = (value: unknown) => Number.isFinite(value) && Number(value) > 0;
  return other<number>("a number above 0", isAmount);
}
