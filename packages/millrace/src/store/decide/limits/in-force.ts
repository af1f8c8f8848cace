// Which limits hold for a tenant: each of its own takes the place of the one that holds for all.

import type { Pace } from "../../../job/kind/pace.ts";
import type { TenantLimits } from "../../../job/options/tenant-limits.ts";
import type { StoreLimits } from "../../store.ts";

const MINUTE_MS = 60_000;

/** The limits on the submissions and running jobs of one tenant. 0 means no limit. */
export interface LimitsInForce {
  readonly concurrency: number;
  /** Missing: no limit. */
  readonly rate?: Pace;
  readonly queueMax: number;
  readonly overflow: "reject" | "queue";
  /** The limits of the tenant's own: the others are those of the settings. */
  readonly own: TenantLimits;
}

export function limitsInForce(limits: StoreLimits, own: TenantLimits = NONE): LimitsInForce {
  const { maxNewJobsPerMinute, maxConcurrentPerTenant, queueMax, tenantOverflow } = limits;
  const ofAll = maxNewJobsPerMinute > 0 ? { count: maxNewJobsPerMinute, perMs: MINUTE_MS } : undefined;
  const rate = own.rate === undefined ? ofAll : own.rate.count > 0 ? own.rate : undefined;
  return {
    concurrency: own.concurrency ?? maxConcurrentPerTenant,
    ...(rate && { rate }),
    queueMax: own.queueMax ?? queueMax,
    overflow: own.overflow ?? tenantOverflow,
    own,
  };
}

const NONE: TenantLimits = {};

/** Whether a submission of the tenant can be refused because of a limit. */
export function mayRefuse({ rate, queueMax, concurrency, overflow }: LimitsInForce): boolean {
  return rate !== undefined || queueMax > 0 || (concurrency > 0 && overflow === "reject");
}
