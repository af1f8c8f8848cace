import { randomUUID } from "node:crypto";
import { isTraceId, isTraceParent, traceIdIn } from "../lib/trace-parent.ts";

/** The caller's `X-Trace-Id`, else the trace of its `traceparent`, else a new one. */
export function traceIdOf(request: Request): string {
  const given = request.headers.get("x-trace-id");
  if (given !== null && isTraceId(given)) return given;
  const parent = traceParentOf(request);
  return parent === undefined ? randomUUID() : traceIdIn(parent);
}

/** The W3C `traceparent` of a request, if it has a valid one. */
export function traceParentOf(request: Request): string | undefined {
  const given = request.headers.get("traceparent");
  return given !== null && isTraceParent(given) ? given : undefined;
}
