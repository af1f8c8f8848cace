// POST /render and GET /d/…: the same durable job behind both modes; `sync` waits for it.

import { type RenderPayload, type RenderRequest, renderRoutes } from "../../../api/render.ts";
import { type Bound, bind } from "../../../http/bind.ts";
import { oneTenant } from "../../../http/caller.ts";
import type { Engine } from "../../../http/engine.ts";
import { idempotencyOfBody } from "../../../http/idempotency.ts";
import { traceParentOf } from "../../../http/trace.ts";
import { AppError } from "../../../lib/app-error.ts";
import { drawingHandler } from "./drawing-route.ts";
import { keysOf } from "./keys.ts";
import { recallDrawing } from "./kind.ts";
import { drawn, waitForDrawing } from "./wait.ts";

export interface DiagramSettings {
  readonly maxChars: number;
  readonly maxWaitMs: number;
  readonly syncWaitMs: number;
  readonly privateLinks: boolean;
}

/** `closing`: the server stops, and whoever waits is answered. */
export function diagramRoutes(engine: Engine, settings: DiagramSettings, closing: AbortSignal): Bound[] {
  const render = bind(renderRoutes.render, async ({ body, query, caller, request, traceId }) => {
    const tenant = oneTenant(caller);
    const { payload, expiresInMs } = checked(body, settings);
    const isSync = query.mode === "sync";
    const repeats = idempotencyOfBody(request, "POST /render", body);
    // What is kept needs no job; with an idempotency key it gets one all the same, for the second request to find.
    const known = isSync && !repeats.idempotency && (await recall(engine, payload, tenant));
    if (known) return { status: 200, body: known };
    const traceParent = traceParentOf(request);
    const { jobs, replayed, joined } = await engine.submitRequests({
      tenant,
      requests: [
        {
          kind: "render",
          payload,
          options: { traceId, expiresInMs, ...(traceParent !== undefined && { traceParent }) },
        },
      ],
      ...repeats,
    });
    const [job] = jobs;
    if (!job) throw new Error("a submission of one job has one");
    const { jobId } = job;
    const headers = { location: `/jobs/${jobId}`, ...(replayed && { "idempotent-replay": "true" }) };
    if (!isSync) {
      // A replay tells how the job stands now: it may have ended long ago.
      const { status } = replayed ? ((await engine.find(jobId)) ?? job) : job;
      return { status: replayed ? 200 : 202, headers, body: { jobId, status, statusUrl: `/jobs/${jobId}` } };
    }
    // Whoever gave a key means to come back for it; and a job that others joined is theirs as well.
    const isAlone = !replayed && joined.length === 0 && !repeats.idempotency;
    const waiting = { timeoutMs: settings.syncWaitMs, gone: request.signal, closing, isAlone };
    const ended = job.state === "completed" ? job : await waitForDrawing(engine, jobId, waiting);
    return { status: 200, headers, body: drawn(ended) };
  });
  return [render, drawingHandler(engine, settings)];
}

function recall(engine: Engine, payload: RenderPayload, tenant: string) {
  return recallDrawing(keysOf(payload).asked, engine.shared.memoryOf(tenant));
}

type Asked = Extract<RenderRequest, { format: "mermaid" }> | RenderRequest;

function checked(
  body: Asked & { outputType?: "svg" | "png" | undefined },
  { maxChars, maxWaitMs }: DiagramSettings,
): { payload: RenderPayload; expiresInMs: number } {
  const { expiresInMs = maxWaitMs, ...payload } = body;
  if (payload.source.length > maxChars) {
    const message = `The diagram has ${payload.source.length} characters; at most ${maxChars} are drawn.`;
    throw new AppError("too-large", message, { hint: "Split it, or raise RENDER_MAX_CHARS." });
  }
  return { payload: payload as RenderPayload, expiresInMs };
}
