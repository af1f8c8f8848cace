import { groupRoutes } from "../../api/groups.ts";
import type { BatchView } from "../../job/report/batch-view.ts";
import { AppError } from "../../lib/app-error.ts";
import { requestFingerprint } from "../../submit/submit.ts";
import { audited } from "../auth/audit.ts";
import { type Caller, oneTenant, sees } from "../auth/caller.ts";
import { isFromBrowser } from "../auth/same-site.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { idempotencyOf } from "../request/idempotency.ts";
import { jobRequest } from "./jobs.ts";

const PAGE = 50;

/** Batches and flows: jobs that end together, or wait for each other. */
export function groupHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(groupRoutes.createBatch, async ({ body, caller, traceId, basePath }) => {
      const tenant = oneTenant(caller);
      const { onEnd } = body;
      const request = onEnd && jobRequest(onEnd, { traceId });
      const id = await engine.createBatch({ tenant, ...(request && { onEnd: request }) });
      return { body: await findBatch(engine, id, caller), headers: { location: `${basePath}/batches/${id}` } };
    }),

    bind(groupRoutes.batches, async ({ query, caller }) => {
      const { limit = PAGE, cursor } = query;
      const tenant = query.tenant ?? (caller.root ? undefined : oneTenant(caller));
      if (tenant !== undefined && !sees(caller, tenant))
        throw new AppError("forbidden", "The key belongs to another tenant.");
      const found = await engine.batches({
        limit: limit + 1,
        ...(tenant !== undefined && { tenant }),
        ...(cursor !== undefined && { beforeId: cursor }),
      });
      const batches = found.slice(0, limit);
      const last = found.length > limit ? batches.at(-1) : undefined;
      return { body: { batches, ...(last && { nextCursor: last.id }) } };
    }),

    bind(groupRoutes.batch, async ({ params, caller }) => ({ body: await findBatch(engine, params.batchId, caller) })),

    bind(groupRoutes.addToBatch, async ({ params, body, caller, request, traceId }) => {
      const { id, tenant } = await findBatch(engine, params.batchId, caller);
      const jobIds = await engine.addToBatch(id, {
        tenant,
        requests: body.map((each) => jobRequest(each, { traceId })),
        ...idempotencyOf(request, () => requestFingerprint(`POST /batches/${id}/jobs`, body)),
      });
      return { body: { jobIds } };
    }),

    bind(groupRoutes.sealBatch, async ({ params, caller, request, traceId }) => {
      const { id, tenant } = await findBatch(engine, params.batchId, caller);
      await (await engine.openBatch(id)).seal();
      // Programs seal every batch that they open. In the dashboard a person does it for them.
      if (isFromBrowser(request)) await audited(engine, { caller, traceId }, "batch sealed", { target: id, tenant });
      return { body: await findBatch(engine, id, caller) };
    }),

    bind(groupRoutes.cancelBatch, async ({ params, caller, traceId }) => {
      const { id, tenant } = await findBatch(engine, params.batchId, caller);
      await (await engine.openBatch(id)).cancel();
      await audited(engine, { caller, traceId }, "batch cancelled", { target: id, tenant });
      return { body: await findBatch(engine, id, caller) };
    }),

    bind(groupRoutes.retryBatch, async ({ params, caller, traceId }) => {
      const { id, tenant } = await findBatch(engine, params.batchId, caller);
      const revived = await (await engine.openBatch(id)).retryFailed();
      await audited(engine, { caller, traceId }, `${revived} members of a batch revived`, { target: id, tenant });
      return { body: { revived } };
    }),

    bind(groupRoutes.submitFlow, async ({ body, caller, request, traceId }) => {
      const names = body.jobs.map(({ name }) => name);
      const { jobIds } = await engine.submitFlow({
        tenant: oneTenant(caller),
        requests: body.jobs.map(({ job }) => jobRequest(job, { traceId })),
        places: body.jobs.map(({ name, after = [], when = "completed" }) => ({
          name,
          after: after.map((each) => names.indexOf(each)),
          when,
        })),
        ...idempotencyOf(request, () => requestFingerprint("POST /flows", body)),
      });
      return { body: { jobs: Object.fromEntries(names.map((name, i) => [name, jobIds[i] as string])) } };
    }),
  ];
}

async function findBatch(engine: Engine, batchId: string, caller: Caller): Promise<BatchView> {
  const batch = await engine.findBatch(batchId);
  if (batch && sees(caller, batch.tenant)) return batch;
  throw new AppError("batch-not-found", "Batch not found.");
}
