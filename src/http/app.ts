import type { FetchHandler } from "../runtime/serve.ts";
import { answerError } from "./errors.ts";
import { traceIdOf } from "./trace.ts";

export interface Health {
  readonly status: string;
}

export interface AppOptions {
  /** Anything but status `ok` answers 503, so that a load balancer looks elsewhere. */
  readonly health: () => Promise<Health>;
  readonly uptimeMs: () => number;
  readonly now: () => Date;
}

/** The routes, as one Fetch handler. */
export function createApp(options: AppOptions): FetchHandler {
  return async (request) => {
    const traceId = traceIdOf(request);
    const response = await route(request, traceId, options);
    response.headers.set("x-trace-id", traceId);
    return response;
  };
}

async function route(request: Request, traceId: string, options: AppOptions): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname !== "/health") {
    return answerError(404, {
      error: `There is no ${pathname} here.`,
      code: "not-found",
      hint: "Try GET /health.",
      traceId,
    });
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    const refusal = { error: `${pathname} does not take ${request.method}.`, code: "method-not-allowed", traceId };
    return answerError(405, refusal, { allow: "GET, HEAD" });
  }
  const health = await options.health();
  return Response.json(
    { ...health, uptime: Math.floor(options.uptimeMs() / 1000), timestamp: options.now().toISOString() },
    { status: health.status === "ok" ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
