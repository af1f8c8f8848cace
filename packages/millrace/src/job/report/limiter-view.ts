import type { LimiterRule } from "../options/limiter.ts";

/** A limiter as it is now. */
export interface LimiterView {
  /** The name that `ctx.limit` uses. */
  name: string;
  /** The rule in force. */
  rule: LimiterRule;
  /** True: an operator set the rule. */
  isSet: boolean;
  /** The rule of the code. Missing: no process defines the limiter. */
  codeRule?: LimiterRule;
  /** How much can be taken now. */
  left: number;
  /** Nothing can be taken before then: an ISO 8601 string. Missing: it is not blocked. */
  blockedUntil?: string;
  /** The amount taken today, if there is a budget. */
  usedToday?: number;
  /** The tenants that took most of it today, 20 at most. */
  tenants?: {
    /** The name of the tenant. */
    tenant: string;
    /** What it took. */
    used: number;
  }[];
}
