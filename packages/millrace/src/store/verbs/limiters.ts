// Rate limits that all processes share, and limits of a tenant's own.

import type { Lease, WriteAnswer } from "../../job/lease.ts";
import type { LimiterRule } from "../../job/options/limiter.ts";
import type { TenantLimits } from "../../job/options/tenant-limits.ts";
import type { ControlAnswer } from "./jobs.ts";

export interface LimiterVerbs {
  /** Defines the limiters of this process. A rule that an operator set stays. A limiter whose rule has not changed keeps its level. */
  setLimiters(limiters: ({ name: string } & LimiterRule)[]): Promise<void>;
  limiters(): Promise<LimiterState[]>;
  /** Sets the rule of an operator, which holds whatever the code says. An unknown limiter is added. */
  putLimiter(name: string, rule: LimiterRule): Promise<void>;
  /** Lets the rule of the code hold again. A limiter that the code does not define is deleted. */
  resetLimiter(name: string): Promise<ControlAnswer>;
  /** Ends a block of the limiter. */
  unblockLimiter(name: string): Promise<ControlAnswer>;
  /** Takes `cost` from the limiter if it has that much. */
  take(lease: Lease, limiter: string, cost: number): Promise<LimiterAnswer>;
  /** Blocks the limiter for this long: nothing can be taken from it. */
  blockLimiter(lease: Lease, limiter: string, forMs: number): Promise<WriteAnswer>;
}

/** A limiter at one moment. Times are milliseconds since 1970. */
export interface LimiterState {
  name: string;
  rule: LimiterRule;
  /** Whether an operator set the rule. */
  isSet: boolean;
  /** The rule of the code. Missing: no process defines it. */
  codeRule?: LimiterRule;
  /** How much can be taken now. */
  left: number;
  blockedUntil?: number;
  /** The amount taken today, if there is a budget. */
  usedToday?: number;
  /** The tenants that took most of it today, 20 at most. */
  tenants?: { tenant: string; used: number }[];
}

/** `retryAt`: there is no room before then. */
export type LimiterAnswer = "taken" | "lease-lost" | { retryAt: number };

export interface TenantLimitVerbs {
  /** Replaces the limits of a tenant. From the commit on they hold in every process. The tenant need not have submitted anything. */
  putTenantLimits(tenant: string, limits: TenantLimits): Promise<void>;
  /** Lets the limits that hold for all tenants hold for this one again. */
  deleteTenantLimits(tenant: string): Promise<ControlAnswer>;
  findTenantLimits(tenant: string): Promise<TenantLimits | undefined>;
}
