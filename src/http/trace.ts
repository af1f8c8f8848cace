import { randomUUID } from "node:crypto";

// It is stored with the job and stands in log lines, so only what is harmless there is taken over.
const HARMLESS = /^[\w.:/-]{1,128}$/;

/** The caller's `X-Trace-Id`, or a new one. */
export function traceIdOf(request: Request): string {
  const given = request.headers.get("x-trace-id");
  return given !== null && HARMLESS.test(given) ? given : randomUUID();
}
