import { workflowRoutes } from "../../api/workflow.ts";
import { audited } from "../auth/audit.ts";
import { oneTenant } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { findJob } from "./jobs.ts";

/** Signals and events: what jobs are sent while they wait. */
export function workflowHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(workflowRoutes.signal, async ({ params, body, caller, request, traceId }) => {
      const { jobId, tenant, kind } = await findJob(engine, params.jobId, caller);
      const options = { by: caller.name, ...idempotencyKeyOf(request) };
      const receipt = await engine.signal(kind, jobId, params.name, body ?? null, options);
      await audited(engine, { caller, traceId }, `signal "${params.name}" sent`, { target: jobId, tenant });
      return { body: receipt };
    }),

    bind(workflowRoutes.signalByKey, async ({ params, body, caller, request, traceId }) => {
      const tenant = oneTenant(caller);
      const { kind, uniqueKey, value = null, orSubmit } = body;
      const job = { uniqueKey, tenant, ...(orSubmit !== undefined && { orSubmit }) };
      const options = { by: caller.name, ...idempotencyKeyOf(request) };
      const receipt = await engine.signal(kind, job, params.name, value, options);
      await audited(engine, { caller, traceId }, `signal "${params.name}" sent`, { target: receipt.jobId, tenant });
      return { body: receipt };
    }),

    bind(workflowRoutes.export, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      return { body: await engine.exportJob(params.jobId) };
    }),

    bind(workflowRoutes.signals, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      return { body: { signals: await engine.signals(params.jobId) } };
    }),

    bind(workflowRoutes.waits, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      return { body: { waits: await engine.waits(params.jobId) } };
    }),

    bind(workflowRoutes.tree, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      return { body: await engine.tree(params.jobId) };
    }),

    bind(workflowRoutes.publish, async ({ params, query, body, caller, request }) => {
      const published = await engine.publish(params.topic, body ?? {}, {
        tenant: oneTenant(caller),
        ...(query.keepMs !== undefined && { keepMs: query.keepMs }),
        ...idempotencyKeyOf(request),
      });
      return { body: published };
    }),
  ];
}

function idempotencyKeyOf(request: Request): { idempotencyKey?: string } {
  const key = request.headers.get("idempotency-key");
  return key === null ? {} : { idempotencyKey: key };
}
