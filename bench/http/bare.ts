// The limit: a route that parses the same body and answers, and keeps nothing. bare.ts runs on either runtime as ours does.

import { Hono } from "hono";
import { serve } from "../../packages/millrace/src/runtime/serve.ts";
import { silentLog } from "../../packages/millrace/src/telemetry/log/log.ts";

const app = new Hono();
let count = 0;
app.post("/jobs", async (context) => {
  const body = await context.req.json<Record<string, unknown>>();
  return context.json({ jobId: `job_${++count}`, ...body }, 201);
});

// On Bun as Hono's own documentation serves it; on Node through the same adapter as ours.
const { Bun: bun } = globalThis as { Bun?: { serve(options: object): { port: number } } };
const { port } = bun
  ? bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch })
  : await serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => app.fetch(request), log: silentLog });
process.stderr.write(`listens on http://127.0.0.1:${port}\n`);
