// Rate limits that all processes share, and limits of a tenant's own.

import type { Lease, WriteAnswer } from "../../job/lease.ts";
import type { TenantLimits } from "../../job/options/tenant-limits.ts";
import type { ControlAnswer } from "./jobs.ts";

export interface LimiterVerbs {
  /** Defines the limiters of this process. A limiter whose rule has not changed keeps its level. */
  setLimiters(limiters: { name: string; count: number; perMs: number }[]): Promise<void>;
  /** Takes `cost` from the limiter if it has that much. */
  take(lease: Lease, limiter: string, cost: number): Promise<LimiterAnswer>;
  /** Nothing can be taken from the limiter for this long. */
  blockLimiter(lease: Lease, limiter: string, forMs: number): Promise<WriteAnswer>;
}

/** `retryAt`: there is no room before then. */
export type LimiterAnswer = "taken" | "lease-lost" | { retryAt: number };

export interface TenantLimitVerbs {
  /** Replaces the limits of a tenant. From the commit on they hold in every process. The tenant need not have submitted anything. */
  putTenantLimits(tenant: string, limits: TenantLimits): Promise<void>;
  /** The limits that hold for all tenants hold for it again. */
  deleteTenantLimits(tenant: string): Promise<ControlAnswer>;
  findTenantLimits(tenant: string): Promise<TenantLimits | undefined>;
}
