import { workflowRoutes } from "../../api/workflow.ts";
import { AppError } from "../../lib/app-error.ts";
import { audited } from "../auth/audit.ts";
import { type Caller, oneTenant, sees } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { findJob } from "./jobs.ts";

const PAGE = 50;

/** Signals, events and approvals: what jobs are sent while they wait. */
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

    bind(workflowRoutes.approvals, async ({ query, caller }) => {
      const { limit = PAGE, cursor, jobId } = query;
      const tenant = query.tenant ?? (caller.root ? undefined : oneTenant(caller));
      if (tenant !== undefined && !sees(caller, tenant))
        throw new AppError("forbidden", "The key belongs to another tenant.");
      const found = await engine.approvals({
        limit: limit + 1,
        ...(tenant !== undefined && { tenant }),
        ...(jobId !== undefined && { jobId }),
        ...(cursor !== undefined && { after: cursor }),
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return { body: { approvals: page, ...(last && { nextCursor: last.id }) } };
    }),

    bind(workflowRoutes.decide, async ({ params, body, caller, traceId }) => {
      const approval = await engine.approval(params.approvalId);
      const isTheirs = approval !== undefined && sees(caller, approval.tenant);
      if (approval && !isTheirs) throw new AppError("approval-not-found", "Approval not found.");
      const { choice, comment } = body;
      const decision = { choice, by: caller.name, ...(comment !== undefined && { comment }) };
      const { jobId, name, tenant } = await engine.decide(params.approvalId, {
        ...decision,
        ...tenantOf(caller),
      });
      await audited(engine, { caller, traceId }, `approval "${name}" decided: ${choice}`, { target: jobId, tenant });
      return { body: { jobId, name, choice, by: caller.name } };
    }),
  ];
}

function tenantOf(caller: Caller): { tenant?: string } {
  return caller.root ? {} : { tenant: oneTenant(caller) };
}

function idempotencyKeyOf(request: Request): { idempotencyKey?: string } {
  const key = request.headers.get("idempotency-key");
  return key === null ? {} : { idempotencyKey: key };
}
