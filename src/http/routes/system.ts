import type { z } from "zod";
import { type Metrics, systemRoutes } from "../../api/system.ts";
import { AppError } from "../../lib/app-error.ts";
import type { KindCounts } from "../../store/store.ts";
import type { FigureHistory } from "../../telemetry/history.ts";
import { wantsPrometheus } from "../accept.ts";
import { audited } from "../audit.ts";
import { type Bound, bind } from "../bind.ts";
import { type Caller, may, oneTenant, sees } from "../caller.ts";
import type { Engine } from "../engine.ts";

export interface SystemOptions {
  readonly engine: Engine;
  readonly history: FigureHistory;
  readonly uptimeMs: () => number;
  readonly now: () => Date;
}

export function systemHandlers({ engine, history, uptimeMs, now }: SystemOptions): Bound[] {
  return [
    bind(systemRoutes.health, async ({ caller }) => {
      const { status, problems, unserved } = await engine.health();
      const basics = { status, uptime: Math.floor(uptimeMs() / 1_000), timestamp: now().toISOString() };
      // Whoever has no key learns whether it works, not what it does.
      const body = may(caller, "admin") ? { ...basics, problems, unserved } : basics;
      return { status: status === "error" ? 503 : 200, body };
    }),

    bind(systemRoutes.metrics, async ({ request, caller }) => {
      if (wantsPrometheus(request)) {
        const text = ownSeries(await engine.prometheus(), caller);
        return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
      }
      return { body: ownFigures((await engine.admin.figures()) as z.output<typeof Metrics>, caller) };
    }),

    bind(systemRoutes.metricsHistory, async ({ query, caller }) => {
      const after = query.after === undefined ? undefined : Date.parse(query.after);
      const { everyMs, points } = history.since((query.minutes ?? 15) * 60_000, after);
      return {
        body: { everyMs, points: points.map((point) => ({ ...point, ...ownTenants(point.perTenant, caller) })) },
      };
    }),

    bind(systemRoutes.kinds, async ({ caller }) => ({
      body: { kinds: (await engine.admin.kinds()).map((kind) => shown(kind, caller)) },
    })),

    bind(systemRoutes.pause, async ({ params, caller, traceId }) => {
      await engine.pause(params.kind);
      await audited(engine, { caller, traceId }, "kind paused", { target: params.kind, ...ownTenant(caller) });
      return { body: { kind: params.kind, paused: true } };
    }),

    bind(systemRoutes.resume, async ({ params, caller, traceId }) => {
      await engine.resume(params.kind);
      await audited(engine, { caller, traceId }, "kind resumed", { target: params.kind, ...ownTenant(caller) });
      return { body: { kind: params.kind, paused: false } };
    }),

    bind(systemRoutes.pools, async ({ caller }) => ({
      body: {
        pools: (await engine.admin.pools()).map((pool) => ({
          ...pool,
          processors: pool.processors.map((each) => redacted(each, caller)),
        })) as never,
        instances: await engine.admin.instances(),
      },
    })),

    bind(systemRoutes.schedules, async ({ caller }) => ({
      body: {
        schedules: (await engine.schedules.list())
          .filter((each) => seesSchedule(each, caller))
          .map((each) => scheduleView(each, engine)),
      },
    })),

    bind(systemRoutes.schedule, async ({ params, caller }) => ({
      body: await findSchedule(engine, params.name, caller),
    })),

    bind(systemRoutes.putSchedule, async ({ params, body, caller, traceId }) => {
      const {
        kind,
        tenant = oneTenant(
          caller.root ? { ...caller, tenant: caller.tenant === "*" ? "default" : caller.tenant } : caller,
        ),
        ...rule
      } = body;
      if (!caller.root && tenant !== caller.tenant)
        throw new AppError("forbidden", "This key belongs to another tenant.");
      const there = (await engine.schedules.list()).find((each) => each.name === params.name);
      if (there && !seesSchedule(there, caller)) throw new AppError("conflict", "Another schedule has this name.");
      await engine.schedules.put(engine.kindNamed(kind), {
        ...defined(rule),
        name: params.name,
        tenant,
        payload: body.payload,
      } as never);
      await audited(engine, { caller, traceId }, "schedule put", { target: params.name, tenant });
      return { body: await findSchedule(engine, params.name, caller) };
    }),

    bind(systemRoutes.removeSchedule, async ({ params, caller, traceId }) => {
      const { tenant } = await findSchedule(engine, params.name, caller);
      await engine.schedules.remove(params.name);
      await audited(engine, { caller, traceId }, "schedule removed", { target: params.name, tenant });
      return {};
    }),
  ];
}

type ScheduleView = Awaited<ReturnType<Engine["schedules"]["list"]>>[number];

/** The administrator sees all schedules; a tenant's own administrator sees the tenant's. */
function seesSchedule(schedule: ScheduleView, caller: Caller): boolean {
  return caller.root || sees(caller, schedule.tenant);
}

async function findSchedule(engine: Engine, name: string, caller: Caller) {
  const found = (await engine.schedules.list()).find((each) => each.name === name);
  if (!found || !seesSchedule(found, caller)) throw new AppError("not-found", "There is no schedule of this name.");
  return scheduleView(found, engine);
}

function scheduleView({ uniqueKey: _uniqueKey, ...schedule }: ScheduleView, engine: Engine) {
  const fires = engine.schedules.preview(schedule, 5).map((moment) => moment.toISOString());
  return { ...schedule, nextFires: fires };
}

/** What an act on things of all tenants is written down under: the tenant whose key did it. */
function ownTenant(caller: Caller): { tenant?: string } {
  return caller.root ? {} : { tenant: caller.tenant };
}

/** The figures of all are an administrator's to see, who the others are is not. */
function ownFigures(metrics: z.output<typeof Metrics>, caller: Caller): z.output<typeof Metrics> {
  return { ...metrics, ...ownTenants(metrics.perTenant, caller) };
}

function ownTenants<Figures>(perTenant: Record<string, Figures>, caller: Caller) {
  if (caller.root) return { perTenant };
  const own = perTenant[caller.tenant];
  return { perTenant: own === undefined ? {} : { [caller.tenant]: own } };
}

const PER_TENANT = "millrace_tenant_jobs_total{";

function ownSeries(text: string, caller: Caller): string {
  if (caller.root) return text;
  const isOwn = (line: string) => !line.startsWith(PER_TENANT) || line.includes(`tenant="${caller.tenant}"`);
  return text.split("\n").filter(isOwn).join("\n");
}

/** A tenant's administrator sees that a processor is busy, not with whose job. */
function redacted<P extends { tenant?: string; jobId?: string }>(processor: P, caller: Caller): P {
  if (caller.root || (processor.tenant !== undefined && sees(caller, processor.tenant))) return processor;
  const { tenant: _tenant, jobId: _jobId, ...rest } = processor;
  return rest as P;
}

type KindInfo = Awaited<ReturnType<Engine["admin"]["kinds"]>>[number];

/** Counts over all tenants are the administrator's. */
function shown(kind: KindInfo, caller: Caller): KindInfo {
  if (caller.root) return kind;
  return { ...kind, stages: kind.stages.map((stage) => ({ ...stage, counts: NO_COUNTS })) };
}

const NO_COUNTS: KindCounts["stages"][number]["counts"] = {
  scheduled: 0,
  ready: 0,
  suspect: 0,
  held: 0,
  running: 0,
  completed: 0,
  failed: 0,
  rejected: 0,
  cancelled: 0,
};

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
