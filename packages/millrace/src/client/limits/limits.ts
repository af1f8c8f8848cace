import type { limitRoutes } from "../../api/limits/tenants.ts";
import type { CallOptions } from "../jobs.ts";
import { ask, type Connection } from "../request.ts";
import { type BodyOf, limits, system } from "../routes.ts";
import type { SharedLimit, TenantLimits } from "../wire.ts";

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
  /** The limits on running jobs that kinds share. */
  readonly shared: SharedLimitCalls;
}

/** Calls about the limits on running jobs that kinds share. */
export interface SharedLimitCalls {
  /** All limits by name, with the jobs that run under each. */
  list(options?: CallOptions): Promise<SharedLimit[]>;
  /** Sets how many jobs may run under a limit, whatever processes define. */
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
