import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { FOREVER, isObject, type OptionValues, other, whole, word } from "../../lib/options/option.ts";
import type { Pace } from "../kind/pace.ts";

/** PostgreSQL stores these as 32 bits. */
export const MOST_LIMIT = 1_000_000_000;
export const LEAST_WEIGHT = 0.01;
export const MOST_WEIGHT = 100;

/** What an operator sets for one tenant. Each value takes the place of the setting that holds for all tenants. */
export const TENANT_LIMITS = {
  /** Jobs of the tenant that run at the same time, across all processes; 0 means no limit. Default: `maxConcurrentPerTenant`. */
  concurrency: whole(0, MOST_LIMIT),
  /**
   * Jobs that the tenant may submit in any period: `{ count: 100, perMs: 60_000 }`; a count of 0 means no limit. Default:
   * `maxNewJobsPerMinute`.
   */
  rate: other<Pace>("an object with count, a whole number of 0 or more, and perMs, a whole number above 0", isRate),
  /**
   * The tenant's share of the processors while other tenants wait too, from 0.01 to 100: with a weight of 3 it gets three
   * jobs for each job of a tenant without a weight. Default: 1.
   */
  weight: other<number>(`a number from ${LEAST_WEIGHT} to ${MOST_WEIGHT}`, isWeight),
  /**
   * Due pending jobs of the tenant in one stage before its submissions are refused with `backpressure`; 0 means no limit.
   * Default: `queueMax`, which counts the jobs of all tenants.
   */
  queueMax: whole(0, MOST_LIMIT),
  /**
   * Submissions while the tenant is at its limit of running jobs: "reject" refuses them with `tenant-busy`, "queue"
   * accepts them and lets them wait. Default: `tenantOverflow`.
   */
  overflow: word("reject", "queue"),
} as const;

const BAG: OptionBag = { what: "the limits of a tenant", options: TENANT_LIMITS };

/** Limits of a tenant's own. Where a value is missing, the setting that holds for all tenants applies. */
export type TenantLimits = OptionValues<typeof TENANT_LIMITS>;

/** Throws `invalid-request` with all problems at once. */
export function checkTenantLimits(limits: unknown): TenantLimits {
  checkOptions(BAG, limits);
  return limits as TenantLimits;
}

function isRate(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).some((name) => name !== "count" && name !== "perMs")) return false;
  const { count, perMs } = value as Partial<Pace>;
  return whole(0, MOST_LIMIT).accepts(count) && whole(1, FOREVER).accepts(perMs);
}

function isWeight(value: unknown): boolean {
  return typeof value === "number" && value >= LEAST_WEIGHT && value <= MOST_WEIGHT;
}
