// runtimes: bun or node

import assert from "node:assert/strict";
import { test } from "node:test";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { call, good, refused } from "./support/call.ts";
import { submitted } from "./support/jobs.ts";
import { type Server, sharedServer, startServer } from "./support/server.ts";

const server = await sharedServer();
const LATER = { delayMs: 3_600_000 };

test("the same key and body give the first answer again, whatever the order of the fields", async () => {
  const headers = { "idempotency-key": "order" };
  const first = await call(server, jobRoutes.submit, { headers, body: { kind: "quick", payload: { a: 1, b: [2] } } });
  assert.equal(first.status, 201);
  assert.equal(first.headers.get("idempotent-replay"), null);
  const text = '{"payload":{"b":[2],"a":1.0},"kind":"quick"}';
  const second = await call(server, jobRoutes.submit, {
    headers: { ...headers, "content-type": "application/json", "x-trace-id": "another" },
    body: text,
  });
  assert.equal(second.status, 200);
  assert.equal(second.headers.get("idempotent-replay"), "true");
  assert.equal(second.headers.get("location"), first.headers.get("location"));
  assert.equal(second.headers.get("x-trace-id"), "another");
  assert.deepEqual(second.body, { ...first.body, replayed: true });
});

test("also when the job itself is gone", async () => {
  const asked = { headers: { "idempotency-key": "gone" }, body: { kind: "quick", payload: 1 } };
  const first = await good(server, jobRoutes.submit, asked);
  assert.ok("jobId" in first);
  const params = { jobId: first.jobId };
  await good(server, jobRoutes.get, { params, query: { wait: 20 } });
  await good(server, jobRoutes.forget, { params });
  const second = await call(server, jobRoutes.submit, asked);
  assert.equal(second.status, 200);
  assert.deepEqual(second.body, { ...first, replayed: true });
});

test("another body under the same key is refused with 422; another tenant's key is another key", async () => {
  const headers = { "idempotency-key": "other" };
  const first = await good(server, jobRoutes.submit, { headers, body: { kind: "quick", payload: 1, ...LATER } });
  assert.ok("jobId" in first);
  for (const body of [
    { kind: "quick", payload: 2, ...LATER },
    [{ kind: "quick", payload: 1, ...LATER }],
    { kind: "quick", payload: 1, ...LATER, priority: 0 },
  ]) {
    const { error } = await refused(server, jobRoutes.submit, { headers, body }, "idempotency-conflict");
    assert.equal(error.jobId, first.jobId);
  }
  const elsewhere = await call(server, jobRoutes.submit, {
    headers,
    tenant: "b",
    body: { kind: "quick", payload: 2, ...LATER },
  });
  assert.equal(elsewhere.status, 201);
});

test("one key covers an array", async () => {
  const asked = {
    headers: { "idempotency-key": "array" },
    body: [1, 2, 3].map((n) => ({ kind: "quick", payload: n })),
  };
  const first = await call(server, jobRoutes.submit, asked);
  const second = await call(server, jobRoutes.submit, asked);
  assert.deepEqual([first.status, second.status], [201, 200]);
  assert.ok("jobs" in first.body);
  assert.deepEqual(second.body, { jobs: first.body.jobs.map((job) => ({ ...job, replayed: true })) });
});

test("fifty at once make one job", async () => {
  const asked = { headers: { "idempotency-key": "fifty" }, body: { kind: "quick", payload: 1, tags: ["fifty"] } };
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(server, jobRoutes.submit, asked)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ status }) => status === 200).length, 49);
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify({ ...body, replayed: true }))).size, 1);
  const { jobs } = await good(server, jobRoutes.list, { query: { tag: "fifty" } });
  assert.equal(jobs.length, 1);
});

test("a replay comes before every limit and counts for none", async (t) => {
  const strict = await startServer(t, { settings: { maxNewJobsPerMinute: 2, queueMax: 2 } });
  const asked = (key: string) => ({
    headers: { "idempotency-key": key },
    body: { kind: "quick", payload: key, ...LATER },
  });
  await good(strict, jobRoutes.submit, asked("one"));
  for (let i = 0; i < 5; i++) assert.equal((await call(strict, jobRoutes.submit, asked("one"))).status, 200);
  await good(strict, jobRoutes.submit, asked("two"));
  await refused(strict, jobRoutes.submit, asked("three"), "rate-limited");
  for (const key of ["one", "two"]) assert.equal((await call(strict, jobRoutes.submit, asked(key))).status, 200);
  assert.equal(await submittedCount(strict), 2);
});

test("a POST that keeps no key ignores it", async () => {
  const { jobId } = await submitted(server, { kind: "fails", payload: {} });
  const params = { jobId };
  await good(server, jobRoutes.get, { params, query: { wait: 20 } });
  const headers = { "idempotency-key": "not for this" };
  const revived = await good(server, jobRoutes.retry, { params, headers });
  const again = await refused(server, jobRoutes.retry, { params, headers }, "conflict");
  assert.equal(again.error.jobId, revived.jobId, "a second revival needs no key to be harmless");
  await good(server, jobRoutes.cancelMany, { headers, body: { ids: [jobId] } });
  for (const key of ["", "with a blank", "x".repeat(300)])
    await good(server, systemRoutes.resume, { params: { kind: "quick" }, headers: { "idempotency-key": key } });
});

async function submittedCount(of: Server): Promise<number> {
  return (await good(of, systemRoutes.metrics)).jobsSubmitted;
}
