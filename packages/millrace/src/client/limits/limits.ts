import type { limiterRoutes } from "../../api/limits/limiters.ts";
import type { limitRoutes } from "../../api/limits/tenants.ts";
import type { CallOptions } from "../jobs.ts";
import { ask, type Connection } from "../request.ts";
import { type BodyOf, limiters, limits, system } from "../routes.ts";
import type { Limiter, SharedLimit, TenantLimits } from "../wire.ts";

/** Calls about limits. They need the scope `admin`; only the administrator of all tenants changes limits. */
export interface LimitCalls {
  /** The limits of a tenant's own. Empty if it has none: then the server's settings hold for it. */
  tenant(tenant: string, options?: CallOptions): Promise<TenantLimits>;
  /** Replaces the limits of a tenant's own. They hold in all processes at once. */
  setTenant(
    tenant: string,
    limits: BodyOf<typeof limitRoutes.putTenantLimits>,
    options?: CallOptions,
  ): Promise<TenantLimits>;
  /** Deletes the limits of a tenant's own. */
  removeTenant(tenant: string, options?: CallOptions): Promise<void>;
  /** Every limiter with its rule, the amount left, its block, and today's use of its budgets. */
  limiters(options?: CallOptions): Promise<Limiter[]>;
  /** Sets the rule of a limiter. It overrides the code until it is reset. */
  setLimiter(name: string, rule: BodyOf<typeof limiterRoutes.putLimiter>, options?: CallOptions): Promise<Limiter>;
  /** Goes back to the rule of the code. A limiter that no code defines is deleted. */
  resetLimiter(name: string, options?: CallOptions): Promise<void>;
  /** Ends a block. */
  unblockLimiter(name: string, options?: CallOptions): Promise<Limiter>;
  /** The limits on running jobs that kinds share. */
  readonly shared: SharedLimitCalls;
}

/** Calls about the limits on running jobs that kinds share. */
export interface SharedLimitCalls {
  /** All limits by name, with the jobs that run under each. */
  list(options?: CallOptions): Promise<SharedLimit[]>;
  /** Overrides a shared limit. */
  set(name: string, total: number, options?: CallOptions): Promise<SharedLimit>;
  /** Lets the defined number of a limit count again. */
  reset(name: string, options?: CallOptions): Promise<SharedLimit>;
}

export function limitCalls(connection: Connection): { readonly limits: LimitCalls } {
  return {
    limits: {
      tenant: async (tenant, options) =>
        (await ask(connection, limits.tenantLimits, { params: { tenant }, ...options })).limits,
      setTenant: async (tenant, body, options) =>
        (await ask(connection, limits.putTenantLimits, { params: { tenant }, body, ...options })).limits,
      removeTenant: (tenant, options) => ask(connection, limits.removeTenantLimits, { params: { tenant }, ...options }),
      limiters: async (options) => (await ask(connection, limiters.limiters, { ...options })).limiters,
      setLimiter: (name, body, options) => ask(connection, limiters.putLimiter, { params: { name }, body, ...options }),
      resetLimiter: (name, options) => ask(connection, limiters.resetLimiter, { params: { name }, ...options }),
      unblockLimiter: (name, options) =>
        ask(connection, limiters.unblockLimiter, { params: { name }, ...options, repeatable: true }),
      shared: {
        list: async (options) => (await ask(connection, system.limits, { ...options })).limits,
        set: (limit, total, options) =>
          ask(connection, system.setLimit, { params: { limit }, body: { total }, ...options, repeatable: true }),
        reset: (limit, options) =>
          ask(connection, system.resetLimit, { params: { limit }, ...options, repeatable: true }),
      },
    },
  };
}
