import type { RenderRequest } from "../api/render.ts";
import { MillraceError } from "./errors.ts";
import { outcome } from "./jobs.ts";
import { ask, askBytes, type Connection } from "./request.ts";
import { diagrams } from "./routes.ts";
import { type WaitOptions, waitFor } from "./wait.ts";
import type { RenderAccepted, Rendered } from "./wire.ts";

export interface RenderOptions {
  readonly signal?: AbortSignal | undefined;
  readonly traceId?: string | undefined;
}

export interface DiagramCalls {
  /**
   * The drawing's link, once it is drawn; throws `render-failed` with `line` and `column` where the diagram has a fault. Past
   * what the server waits for, the client goes on waiting for the job.
   */
  render(request: RenderRequest, options?: RenderOptions & Pick<WaitOptions, "timeoutMs">): Promise<Rendered>;
  /** The job at once, without waiting for the drawing. */
  submitRender(request: RenderRequest, options?: RenderOptions & { idempotencyKey?: string }): Promise<RenderAccepted>;
  /** The drawing behind a link. */
  drawing(
    link: string | { readonly shortlink: string },
    options?: RenderOptions,
  ): Promise<{ bytes: Uint8Array; contentType: string }>;
}

/** The server waits for 25 s unless it is set otherwise. */
const SYNC_MS = 35_000;

export function diagramCalls(connection: Connection): DiagramCalls {
  return {
    render: async (request, { signal, traceId, timeoutMs } = {}) => {
      try {
        const answer = await ask(connection, diagrams.render, {
          body: request,
          query: { mode: "sync" },
          ...headersOf(traceId),
          signal,
          timeoutMs: Math.max(SYNC_MS, connection.timeoutMs),
          // The same diagram is the same drawing, however often it is asked for.
          repeatable: true,
        });
        return answer as Rendered;
      } catch (error) {
        const isLate = error instanceof MillraceError && error.code === "still-running" && error.jobId !== undefined;
        if (!isLate) throw error;
        const limits = { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) };
        return outcome<Rendered>(await waitFor(connection, error.jobId as string, limits));
      }
    },
    submitRender: async (request, { signal, traceId, idempotencyKey = crypto.randomUUID() } = {}) => {
      const answer = await ask(connection, diagrams.render, {
        body: request,
        query: { mode: "async" },
        headers: { ...headersOf(traceId).headers, "idempotency-key": idempotencyKey },
        signal,
        repeatable: true,
      });
      return answer as RenderAccepted;
    },
    drawing: (link, { signal, traceId } = {}) =>
      askBytes(connection, diagrams.drawing, {
        params: { shortlink: typeof link === "string" ? link : link.shortlink },
        ...headersOf(traceId),
        signal,
      }),
  };
}

function headersOf(traceId: string | undefined): { headers: Record<string, string> } {
  return { headers: traceId === undefined ? {} : { "x-trace-id": traceId } };
}
