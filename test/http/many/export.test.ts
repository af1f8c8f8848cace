// runtimes: bun or node

import assert from "node:assert/strict";
import { test } from "node:test";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../../packages/millrace/src/api/system.ts";
import { good, refused, send } from "../support/call.ts";
import { submitted } from "../support/jobs.ts";
import { startServer } from "../support/server.ts";

const LATER = { kind: "quick", delayMs: 3_600_000 };

test("a list is exported whole, in both formats, within the tenant", async (t) => {
  const server = await startServer(t);
  await good(server, jobRoutes.submit, {
    body: Array.from({ length: 700 }, (_, n) => ({ ...LATER, payload: `=${n}` })),
  });
  await submitted(server, { ...LATER, payload: 1 }, { tenant: "other" });
  const lines = async (path: string) => (await (await send(server, "GET", path)).text()).trim().split("\n");
  const csv = await lines("/jobs/export?format=csv");
  assert.equal(csv.length, 701);
  assert.match(csv[0] as string, /^"jobId","kind","stage"/);
  assert.match(csv[1] as string, /,"'=699",""/);
  const ndjson = (await lines("/jobs/export?format=ndjson&status=scheduled")).map((line) => JSON.parse(line));
  assert.deepEqual([ndjson.length, ndjson[0].payload, ndjson[699].payload], [700, "=699", "=0"]);
  assert.deepEqual(await lines("/jobs/export?format=ndjson&status=failed"), [""]);
  assert.equal((await send(server, "GET", "/jobs/export?format=xml")).status, 422);
});

test("a large answer is packed for callers that take gzip", async (t) => {
  const server = await startServer(t);
  await good(server, jobRoutes.submit, { body: Array.from({ length: 100 }, () => ({ ...LATER, payload: 1 })) });
  const plain = await send(server, "GET", "/jobs?limit=100", { headers: { "accept-encoding": "identity" } });
  assert.equal(plain.headers.get("content-encoding"), null);
  const packed = await fetch(`${server.url}/jobs?limit=100`, { headers: { "accept-encoding": "gzip" } });
  assert.equal(packed.headers.get("vary"), "Accept-Encoding");
  assert.equal(((await packed.json()) as { jobs: unknown[] }).jobs.length, 100);
});

test("a scheduled job is started now, a rule is previewed, and a schedule runs beside its times", async (t) => {
  const server = await startServer(t);
  const { jobId } = await submitted(server, { ...LATER, payload: 1 });
  await good(server, jobRoutes.runNow, { params: { jobId } });
  const ended = await good(server, jobRoutes.get, { params: { jobId }, query: { wait: 20 } });
  assert.equal(ended.state, "completed");
  await refused(server, jobRoutes.runNow, { params: { jobId } }, "conflict");

  const query = { cron: "30 6 * * 1", timeZone: "Europe/Berlin", count: 3 };
  const { fires } = await good(server, systemRoutes.previewSchedule, { query });
  assert.equal(fires.length, 3);
  await refused(server, systemRoutes.previewSchedule, { query: { cron: "nonsense" } }, "invalid-request");
  const rule = { cron: "0 0 1 1 *", kind: "quick", payload: { n: 7 }, tags: ["yearly"] };
  const before = await good(server, systemRoutes.putSchedule, { params: { name: "yearly" }, body: rule });
  const run = await good(server, systemRoutes.runSchedule, { params: { name: "yearly" } });
  const job = await good(server, jobRoutes.get, { params: { jobId: run.jobId } });
  assert.deepEqual([job.kind, job.payload, job.tags], ["quick", { n: 7 }, ["yearly"]]);
  const after = await good(server, systemRoutes.schedule, { params: { name: "yearly" } });
  assert.equal(after.nextAt, before.nextAt);
});
