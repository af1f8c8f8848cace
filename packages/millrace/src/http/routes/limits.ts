import { limitRoutes } from "../../api/limits/tenants.ts";
import { AppError } from "../../lib/app-error.ts";
import { audited } from "../auth/audit.ts";
import { sees } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";

/** A tenant's own administrator reads its limits. Only the administrator of all tenants changes them. */
export function limitHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(limitRoutes.tenantLimits, async ({ params: { tenant }, caller }) => {
      if (!caller.root && !sees(caller, tenant)) throw new AppError("not-found", "Tenant not found.");
      return { body: { tenant, limits: (await engine.limits.tenant(tenant)) ?? {} } };
    }),

    bind(limitRoutes.putTenantLimits, async ({ params: { tenant }, body, caller, traceId }) => {
      const limits = given(body);
      await engine.limits.setTenant(tenant, limits);
      await audited(engine, { caller, traceId }, "tenant limits set", { target: JSON.stringify(limits), tenant });
      return { body: { tenant, limits } };
    }),

    bind(limitRoutes.removeTenantLimits, async ({ params: { tenant }, caller, traceId }) => {
      if (!(await engine.limits.removeTenant(tenant))) {
        throw new AppError("not-found", `Tenant "${tenant}" has no limits of its own.`);
      }
      await audited(engine, { caller, traceId }, "tenant limits removed", { tenant });
      return {};
    }),
  ];
}

/** The object without properties that are undefined. */
function given<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
