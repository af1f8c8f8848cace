import type { z } from "zod";
import type { Metrics } from "../../api/metrics.ts";
import { systemRoutes } from "../../api/system.ts";
import type { KindCounts } from "../../store/verbs/processes.ts";
import type { FigureHistory } from "../../telemetry/figures/history.ts";
import { audited } from "../auth/audit.ts";
import { type Caller, may } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { wantsPrometheus } from "../request/accept.ts";
import { type BoundRoute, bind } from "../request/bind.ts";

export interface SystemOptions {
  readonly engine: Engine;
  readonly history: FigureHistory;
  readonly uptimeMs: () => number;
  readonly now: () => Date;
}

export function systemHandlers({ engine, history, uptimeMs, now }: SystemOptions): BoundRoute[] {
  return [
    bind(systemRoutes.health, async ({ caller }) => {
      const { status, problems, unserved, unservedStages } = await engine.health();
      const basics = { status, uptime: Math.floor(uptimeMs() / 1_000), timestamp: now().toISOString() };
      // A caller without a key learns whether the server works, not what it does.
      const body = may(caller, "root") ? { ...basics, problems, unserved, unservedStages } : basics;
      return { status: status === "error" ? 503 : 200, body };
    }),

    bind(systemRoutes.ready, async ({ caller }) => {
      const { ready, reasons } = await engine.readiness();
      const body = { ready, timestamp: now().toISOString(), ...(may(caller, "root") && { reasons }) };
      return { status: ready ? 200 : 503, body };
    }),

    bind(systemRoutes.metrics, async ({ request }) => {
      if (wantsPrometheus(request)) {
        return new Response(await engine.prometheus(), {
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        });
      }
      return { body: (await engine.admin.figures()) as z.output<typeof Metrics> };
    }),

    bind(systemRoutes.metricsHistory, async ({ query }) => {
      const [after, until] = [query.after, query.until].map((at) => (at === undefined ? undefined : Date.parse(at)));
      const rangeMs = (query.minutes ?? 15) * 60_000;
      const end = until ?? now().getTime();
      const [figures, marks] = await Promise.all([
        history.since(rangeMs, { after, until }),
        engine.admin.newDeployments(end - rangeMs, end),
      ]);
      const deployments = marks.map(({ label, at }) => ({ label, at: new Date(at).toISOString() }));
      return { body: { ...figures, deployments } };
    }),

    bind(systemRoutes.kinds, async ({ caller }) => ({
      body: { kinds: (await engine.admin.kinds()).map((kind) => shown(kind, caller)) },
    })),

    bind(systemRoutes.pause, async ({ params, caller, traceId }) => {
      await engine.pause(params.kind);
      await audited(engine, { caller, traceId }, "kind paused", { target: params.kind });
      return { body: { kind: params.kind, paused: true } };
    }),

    bind(systemRoutes.resume, async ({ params, caller, traceId }) => {
      await engine.resume(params.kind);
      await audited(engine, { caller, traceId }, "kind resumed", { target: params.kind });
      return { body: { kind: params.kind, paused: false } };
    }),

    bind(systemRoutes.limits, async () => ({ body: { limits: await engine.limits.shared.list() } })),

    bind(systemRoutes.setLimit, async ({ params: { limit }, body: { total }, caller, traceId }) => {
      const set = await engine.limits.shared.set(limit, total);
      await audited(engine, { caller, traceId }, `limit set to ${total}`, { target: limit });
      return { body: set };
    }),

    bind(systemRoutes.resetLimit, async ({ params: { limit }, caller, traceId }) => {
      const reset = await engine.limits.shared.reset(limit);
      await audited(engine, { caller, traceId }, "limit reset", { target: limit });
      return { body: reset };
    }),

    bind(systemRoutes.pools, async () => ({
      body: { pools: (await engine.admin.pools()) as never, instances: await engine.admin.instances() },
    })),

    bind(systemRoutes.deployments, async () => ({ body: { deployments: await engine.deployments() } })),

    bind(systemRoutes.unpin, async ({ params: { label }, caller, traceId }) => {
      await engine.unpin(label);
      await audited(engine, { caller, traceId }, "deployment unpinned", { target: label });
      return { body: { label } };
    }),
  ];
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
