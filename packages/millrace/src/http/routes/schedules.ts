import { systemRoutes } from "../../api/system.ts";
import { AppError } from "../../lib/app-error.ts";
import { defined } from "../../lib/defined.ts";
import { audited } from "../auth/audit.ts";
import type { Caller } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { NextFires } from "../next-fires.ts";
import { type BoundRoute, bind } from "../request/bind.ts";

/** The administrator of a tenant sees and changes its schedules; the administrator of all tenants those of all. */
export function scheduleHandlers(engine: Engine): BoundRoute[] {
  const nextFires = new NextFires((rule, count) => engine.schedules.preview(rule, count), Date.now);
  const shown = async (schedules: ScheduleView[]) => {
    const fires = await nextFires.of(schedules);
    return schedules.map(({ uniqueKey: _uniqueKey, concurrencyKey: _key, ...schedule }, i) => ({
      ...schedule,
      nextFires: fires[i] ?? [],
    }));
  };
  const shownOne = async (schedule: ScheduleView) => (await shown([schedule]))[0] as Shown;
  type Shown = Awaited<ReturnType<typeof shown>>[number];
  return [
    bind(systemRoutes.schedules, async ({ caller }) => ({
      body: { schedules: await shown(await engine.schedules.list(caller.root ? {} : { tenant: caller.tenant })) },
    })),

    bind(systemRoutes.schedule, async ({ params, query, caller }) => ({
      body: await shownOne(await findSchedule(engine, { name: params.name, tenant: query.tenant }, caller)),
    })),

    bind(systemRoutes.putSchedule, async ({ params, body, caller, traceId }) => {
      const { name } = params;
      const { kind, tenant = caller.tenant === "*" ? "default" : caller.tenant, ...rule } = body;
      if (!caller.root && tenant !== caller.tenant)
        throw new AppError("forbidden", "This key belongs to another tenant.");
      const { payload } = body;
      await engine.schedules.put(engine.kindNamed(kind), { ...defined(rule), name, tenant, payload } as never);
      await audited(engine, { caller, traceId }, "schedule put", { target: name, tenant });
      return { body: await shownOne(await findSchedule(engine, { name, tenant }, caller)) };
    }),

    bind(systemRoutes.previewSchedule, async ({ query }) => {
      const { cron, timeZone = "UTC", count = 10 } = query;
      const fires = engine.schedules.preview({ cron, timeZone }, count);
      return { body: { fires: fires.map((moment) => moment.toISOString()) } };
    }),

    bind(systemRoutes.runSchedule, async ({ params, query, caller, traceId }) => {
      const schedule = await findSchedule(engine, { name: params.name, tenant: query.tenant }, caller);
      const { tenant, name, kind, payload, priority, tags } = schedule;
      const options = { traceId, ...(priority !== undefined && { priority }), ...(tags && { tags }) };
      const { jobs } = await engine.submitRequests({ tenant, requests: [{ kind, payload, options }] });
      await audited(engine, { caller, traceId }, "schedule run now", { target: name, tenant });
      return { body: { jobId: (jobs[0] as { jobId: string }).jobId } };
    }),

    bind(systemRoutes.removeSchedule, async ({ params, query, caller, traceId }) => {
      const { tenant, name } = await findSchedule(engine, { name: params.name, tenant: query.tenant }, caller);
      await engine.schedules.remove(name, { tenant });
      await audited(engine, { caller, traceId }, "schedule removed", { target: name, tenant });
      return {};
    }),
  ];
}

type ScheduleView = Awaited<ReturnType<Engine["schedules"]["list"]>>[number];

/** An administrator who names no tenant gets the caller's own schedule of that name, or the only one there is. */
async function findSchedule(
  engine: Engine,
  { name, tenant }: { name: string; tenant: string | undefined },
  caller: Caller,
): Promise<ScheduleView> {
  const asked = caller.root ? tenant : caller.tenant;
  const found = await engine.schedules.list({ name, ...(asked !== undefined && { tenant: asked }) });
  const own = found.find((each) => each.tenant === caller.tenant) ?? found[0];
  if (!own || (!caller.root && tenant !== undefined && tenant !== caller.tenant))
    throw new AppError("not-found", "Schedule not found.");
  if (found.length === 1 || own.tenant === caller.tenant) return own;
  throw new AppError("conflict", `${found.length} tenants have a schedule of this name.`, {
    hint: "Name the tenant with ?tenant= or X-Tenant-Id.",
  });
}
