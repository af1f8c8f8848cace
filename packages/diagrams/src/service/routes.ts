// POST /render and GET /d/…: the same durable job behind both modes; `sync` waits for it.

import {
  auditedSubmission,
  type BoundRoute,
  bind,
  idempotencyOfBody,
  OccasionalAudit,
  oneTenant,
} from "millrace/workload";
import { renderRoutes } from "../api/render.ts";
import { DrawLimit } from "./draw-limit.ts";
import { drawingHandler } from "./drawing-route.ts";
import { inkHandlers } from "./ink/routes.ts";
import { krokiHandlers } from "./kroki/routes.ts";
import { checkPayload, type DrawingRequest, type DrawingService, recalled, submitDrawing, waited } from "./submit.ts";
import { lookUpVersions } from "./versions.ts";

export function diagramRoutes(surroundings: DrawingService): BoundRoute[] {
  lookUpVersions();
  const { engine, settings } = surroundings;
  const limit = new DrawLimit(settings.drawRate);
  return [
    renderHandler(surroundings),
    drawingHandler(engine, settings),
    ...krokiHandlers(surroundings, limit),
    ...inkHandlers(surroundings, limit),
  ];
}

function renderHandler(surroundings: DrawingService): BoundRoute {
  const { engine, settings } = surroundings;
  const previews = new OccasionalAudit();
  return bind(renderRoutes.render, async ({ body, query, caller, request, traceId }) => {
    const { expiresInMs, ...payload } = body;
    checkPayload(payload, settings);
    const repeats = idempotencyOfBody(request, "POST /render", body);
    const asked: DrawingRequest = { payload, tenant: oneTenant(caller), request, traceId, expiresInMs, ...repeats };
    const isDraft = query.mode === "draft";
    const isSync = query.mode === "sync" || isDraft;
    if (isSync) await previews.written(engine, { caller, traceId, request }, "diagrams drawn", asked.tenant);
    // With an idempotency key there is a job all the same, for the second request to find.
    const isLooked = isSync && !repeats.idempotency;
    const known = isLooked && (await recalled(surroundings, asked));
    if (known) return { status: 200, body: known };
    const wanted: DrawingRequest = { ...asked, nothingKept: isLooked, waits: isSync, isDraft };
    const submitted = await submitDrawing(surroundings, wanted);
    const { job, replayed } = submitted;
    const { jobId } = job;
    const headers = { location: `/jobs/${jobId}`, ...(replayed && { "idempotent-replay": "true" }) };
    if (isSync) {
      const rendered = await waited(surroundings, wanted, submitted);
      return { status: 200, body: rendered, ...(!isDraft && { headers }) };
    }
    if (!replayed) await auditedSubmission(engine, { caller, traceId, request }, asked.tenant, [job]);
    // A new job is pending as far as this answer goes, also where the drawing is kept and the job is stored as completed: its
    // client looks at statusUrl in any case. A replay tells how the job stands now: it may have ended long ago.
    const status = replayed ? ((await engine.find(jobId)) ?? job).status : "pending";
    return { status: replayed ? 200 : 202, headers, body: { jobId, status, statusUrl: `/jobs/${jobId}` } };
  });
}
