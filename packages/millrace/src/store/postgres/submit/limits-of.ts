import { type LimitsInForce, limitsInForce } from "../../decide/limits/in-force.ts";
import type { Core } from "../core.ts";

/** The limits that hold for a tenant. */
export function limitsOf({ options, names }: Core, tenant: number): LimitsInForce {
  return limitsInForce(options.limits, names.ownLimits.of(tenant));
}
