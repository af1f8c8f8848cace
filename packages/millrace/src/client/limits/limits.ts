import type { limitRoutes } from "../../api/limits/tenants.ts";
import type { CallOptions } from "../jobs.ts";
import { ask, type Connection } from "../request.ts";
import { type BodyOf, limits } from "../routes.ts";
import type { TenantLimits } from "../wire.ts";

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
}

export function limitCalls(connection: Connection): { readonly limits: LimitCalls } {
  return {
    limits: {
      tenant: async (tenant, options) =>
        (await ask(connection, limits.tenantLimits, { params: { tenant }, ...options })).limits,
      setTenant: async (tenant, body, options) =>
        (await ask(connection, limits.putTenantLimits, { params: { tenant }, body, ...options })).limits,
      removeTenant: (tenant, options) => ask(connection, limits.removeTenantLimits, { params: { tenant }, ...options }),
    },
  };
}
