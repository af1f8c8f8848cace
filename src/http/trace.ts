import { randomUUID } from "node:crypto";

// It is stored with the job and stands in log lines, so only what is harmless there is taken over.
const HARMLESS = /^[\w.:/-]{1,128}$/;

/** The caller's `X-Trace-Id`, else the trace of its `traceparent`, else a new one. */
export function traceIdOf(request: Request): string {
  const given = request.headers.get("x-trace-id");
  if (given !== null && HARMLESS.test(given)) return given;
  return traceParentOf(request)?.slice(3, 35) ?? randomUUID();
}

// Zeros alone are no trace and no span.
const TRACE_PARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The W3C `traceparent`, where it is one. */
export function traceParentOf(request: Request): string | undefined {
  const given = request.headers.get("traceparent");
  return given !== null && TRACE_PARENT.test(given) ? given : undefined;
}
