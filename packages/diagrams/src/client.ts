import {
  ask,
  askBytes,
  type Connection,
  MillraceError,
  outcome,
  type RouteTable,
  type WaitOptions,
  waitFor,
} from "millrace/client";
import type { RenderAccepted, RenderedDiagram, RenderRequest, renderRoutes } from "./api/render.ts";

// Method and path as text: the schemas would bring zod along, and a browser needs none of it. A test compares them.
/** Method and path of the diagram routes. */
export const diagramRouteTable: RouteTable<typeof renderRoutes> = {
  render: "POST /render",
  drawing: "GET /d/{shortlink}",
};

/** Options of calls about diagrams. */
export interface RenderCallOptions {
  /** Ends the request when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Goes into every log line about the job. Default: a new one. */
  readonly traceId?: string | undefined;
}

/** Options of `render()`. */
export interface RenderWaitOptions extends RenderCallOptions, Pick<WaitOptions, "timeoutMs"> {
  /** True: leave no job behind, neither of a drawing nor of a fault. The drawing is kept as any other is. For editors that draw at every pause in typing. Default: false. */
  readonly draft?: boolean;
}

/** Calls about diagrams. */
export interface DiagramCalls {
  /**
   * Draws a diagram and returns its link when it is drawn. Throws `render-failed`, with `line` and `column` if they are
   * known, for a diagram with an error. If the server stops waiting, the client waits for the job.
   */
  render(request: RenderRequest, options?: RenderWaitOptions): Promise<RenderedDiagram>;
  /** Submits a diagram and returns the job, without waiting for the drawing. */
  submitRender(
    request: RenderRequest,
    options?: RenderCallOptions & { idempotencyKey?: string },
  ): Promise<RenderAccepted>;
  /** The drawing behind a link. */
  drawing(
    link: string | { readonly shortlink: string },
    options?: RenderCallOptions,
  ): Promise<{ bytes: Uint8Array; contentType: string }>;
}

/** The server waits for 25 s unless it is set otherwise. */
const SYNC_MS = 35_000;

/** The diagram calls for a connection. */
export function diagramCalls(connection: Connection): DiagramCalls {
  return {
    render: async (request, { signal, traceId, timeoutMs, draft = false } = {}) => {
      try {
        const answer = await ask(connection, diagramRouteTable.render, {
          body: request,
          query: { mode: draft ? "draft" : "sync" },
          ...headersOf(traceId),
          signal,
          timeoutMs: Math.max(SYNC_MS, connection.timeoutMs),
          // The same diagram is the same drawing, however often it is asked for.
          repeatable: true,
        });
        return answer as RenderedDiagram;
      } catch (error) {
        const isLate = error instanceof MillraceError && error.code === "still-running" && error.jobId !== undefined;
        if (!isLate) throw error;
        const limits = { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) };
        return outcome<RenderedDiagram>(await waitFor(connection, error.jobId as string, limits));
      }
    },
    submitRender: async (request, { signal, traceId, idempotencyKey = crypto.randomUUID() } = {}) => {
      const answer = await ask(connection, diagramRouteTable.render, {
        body: request,
        query: { mode: "async" },
        headers: { ...headersOf(traceId).headers, "idempotency-key": idempotencyKey },
        signal,
        repeatable: true,
      });
      return answer as RenderAccepted;
    },
    drawing: (link, { signal, traceId } = {}) =>
      askBytes(connection, diagramRouteTable.drawing, {
        params: { shortlink: typeof link === "string" ? link : link.shortlink },
        ...headersOf(traceId),
        signal,
      }),
  };
}

function headersOf(traceId: string | undefined): { headers: Record<string, string> } {
  return { headers: traceId === undefined ? {} : { "x-trace-id": traceId } };
}

/**
 * The diagram calls for a client: `createClient({ baseUrl }).with(diagrams)`.
 *
 * @example
 * ```ts
 * import { createClient } from "millrace/client";
 * import { diagrams } from "@millrace/diagrams/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:3000" }).with(diagrams);
 * const { url } = await client.render({ source: "flowchart LR\n  a --> b", format: "mermaid" });
 * console.log(url);
 * ```
 */
export const diagrams = diagramCalls;

export type { RenderAccepted, RenderedDiagram, RenderRequest } from "./api/render.ts";
