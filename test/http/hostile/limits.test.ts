// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../../packages/millrace/src/api/system.ts";
import { call, good, refused } from "../support/call.ts";
import { running, submitted } from "../support/jobs.ts";
import { type Server, startServer } from "../support/server.ts";

const LATER = { delayMs: 3_600_000 };

test("of 200 posts at once exactly as many are accepted as the rate allows", async (t) => {
  const server = await startServer(t, { settings: { maxNewJobsPerMinute: 37 } });
  const answers = await atOnce(server, 200, { kind: "quick", payload: 1, ...LATER });
  assert.equal(answers.filter(({ status }) => status === 201).length, 37);
  const limited = answers.filter(({ status }) => status === 429);
  assert.equal(limited.length, 163);
  for (const { error, headers } of limited) {
    assert.deepEqual([error.code, error.limit], ["rate-limited", "rate"]);
    const seconds = Number(headers.get("retry-after"));
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
  }
  const { jobs } = await good(server, jobRoutes.list, { query: { limit: 500 } });
  assert.equal(jobs.length, 37);
  await good(server, jobRoutes.cancel, { params: { jobId: jobs[0]?.jobId as string } });
  await good(server, jobRoutes.forget, { params: { jobId: jobs[0]?.jobId as string } });
  await refused(server, jobRoutes.submit, { body: { kind: "quick", payload: 1 } }, "rate-limited");
  await good(server, jobRoutes.submit, { tenant: "b", body: { kind: "quick", payload: 1 } });
  assert.equal((await good(server, systemRoutes.metrics)).submissionsRefused, 164);
});

test("of 200 posts at once exactly as many are accepted as the queue has room for", async (t) => {
  const server = await startServer(t, { settings: { queueMax: 25 } });
  await good(server, systemRoutes.pause, { params: { kind: "quick" } });
  const answers = await atOnce(server, 200, { kind: "quick", payload: 1 });
  assert.equal(answers.filter(({ status }) => status === 201).length, 25);
  for (const { error } of answers.filter(({ status }) => status !== 201))
    assert.deepEqual([error.code, error.limit], ["backpressure", "queue"]);
  await submitted(server, { kind: "quick", payload: 1, ...LATER });
  const three = Array.from({ length: 3 }, () => ({ kind: "fails", payload: {} }));
  await good(server, jobRoutes.submit, { body: three });
});

test("a tenant with as many running as it may is told so; with overflow its jobs wait", async (t) => {
  const server = await startServer(t, { settings: { maxConcurrentPerTenant: 1 } });
  const { jobId } = await running(server);
  const body = { kind: "quick", payload: 1 };
  const { error } = await refused(server, jobRoutes.submit, { body }, "tenant-busy");
  assert.equal(error.limit, "concurrency");
  await good(server, jobRoutes.submit, { tenant: "b", body });
  await good(server, jobRoutes.cancel, { params: { jobId } });
  await good(server, jobRoutes.submit, { body });
  const patient = await startServer(t, { settings: { maxConcurrentPerTenant: 1, tenantOverflow: "queue" } });
  await running(patient);
  assert.equal((await submitted(patient, body)).status, "pending");
});

async function atOnce(server: Server, count: number, body: unknown) {
  return Promise.all(Array.from({ length: count }, () => call(server, jobRoutes.submit, { body })));
}
