import { limiterRoutes } from "../../api/limits/limiters.ts";
import { limitRoutes } from "../../api/limits/tenants.ts";
import type { LimiterView } from "../../job/report/limiter-view.ts";
import { AppError } from "../../lib/app-error.ts";
import { defined } from "../../lib/defined.ts";
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
      const limits = defined(body);
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

    bind(limiterRoutes.limiters, async () => ({ body: { limiters: await engine.limits.limiters() } })),

    bind(limiterRoutes.putLimiter, async ({ params: { name }, body, caller, traceId }) => {
      const rule = defined(body);
      await engine.limits.setLimiter(name, rule);
      await audited(engine, { caller, traceId }, "limiter set", { target: `${name} ${JSON.stringify(rule)}` });
      return { body: await limiterNamed(engine, name) };
    }),

    bind(limiterRoutes.resetLimiter, async ({ params: { name }, caller, traceId }) => {
      if (!(await engine.limits.resetLimiter(name))) throw limiterUnknown(name);
      await audited(engine, { caller, traceId }, "limiter reset", { target: name });
      return {};
    }),

    bind(limiterRoutes.unblockLimiter, async ({ params: { name }, caller, traceId }) => {
      if (!(await engine.limits.unblockLimiter(name))) throw limiterUnknown(name);
      await audited(engine, { caller, traceId }, "limiter unblocked", { target: name });
      return { body: await limiterNamed(engine, name) };
    }),
  ];
}

async function limiterNamed(engine: Engine, name: string): Promise<LimiterView> {
  const found = (await engine.limits.limiters()).find((each) => each.name === name);
  if (!found) throw limiterUnknown(name);
  return found;
}

function limiterUnknown(name: string): AppError {
  return new AppError("not-found", `Unknown limiter "${name}".`);
}
