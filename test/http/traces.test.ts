// runtimes: bun
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { call, good, held, send } from "./support/call.ts";
import { newKey } from "./support/keys.ts";
import { type Server, startServer } from "./support/server.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("a trace id goes from the request through the job and its processor to the log", async (t) => {
  const server = await startServer(t, { logLevel: "info" });
  const headers = { "x-trace-id": "trace:1/a.b-c_d", traceparent: PARENT };
  const answer = await call(server, jobRoutes.submit, { headers, body: { kind: "notes", payload: 1 } });
  assert.equal(answer.headers.get("x-trace-id"), "trace:1/a.b-c_d");
  assert.ok("jobId" in answer.body);
  assert.equal(answer.body.traceId, "trace:1/a.b-c_d");
  const params = { jobId: answer.body.jobId };
  const done = await good(server, jobRoutes.get, { params, query: { wait: 20 } });
  assert.equal(done.traceId, "trace:1/a.b-c_d");
  assert.deepEqual(done.result, { traceId: "trace:1/a.b-c_d", traceParent: PARENT });
  await server.program.said(/"settled"/);
  const lines = linesOf(server).filter(({ jobId }) => jobId === params.jobId);
  // A poll may claim the job in the moment between its commit and the answer to who submitted it.
  assert.deepEqual(lines.map(({ event }) => event).sort(), ["claimed", "settled", "submitted"]);
  assert.ok(lines.every((line) => line["traceId"] === "trace:1/a.b-c_d" && line["tenantId"] === "default"));
  assert.ok(lines.every((line) => typeof line["ts"] === "string" && line["level"] === "info"));
  const later = { kind: "notes", payload: 1, delayMs: 3_600_000 };
  const cancelled = await good(server, jobRoutes.submit, { headers, body: later });
  assert.ok("jobId" in cancelled);
  const { jobId } = cancelled;
  await good(server, jobRoutes.cancel, { params: { jobId } });
  await good(server, jobRoutes.retry, { params: { jobId } });
  await server.program.said(/"revived"/);
  const told = linesOf(server).filter((line) => line["jobId"] === jobId);
  assert.deepEqual(
    told.map((line) => [line["event"], line["traceId"]]),
    ["submitted", "cancelled", "revived"].map((event) => [event, "trace:1/a.b-c_d"]),
    "also of what is done to it from outside",
  );
});

test("a traceparent alone gives its trace id, and one that is none gives nothing", async (t) => {
  const server = await startServer(t);
  const traceOf = async (traceparent: string) => {
    const { body } = await call(server, jobRoutes.submit, {
      headers: { traceparent },
      body: { kind: "notes", payload: 1 },
    });
    assert.ok("jobId" in body);
    const { result } = await good(server, jobRoutes.get, { params: { jobId: body.jobId }, query: { wait: 20 } });
    return { traceId: body.traceId, ...(result as { traceParent: string | null }) };
  };
  const taken = await traceOf(PARENT);
  assert.deepEqual([taken.traceId, taken.traceParent], [PARENT.slice(3, 35), PARENT]);
  for (const wrong of ["x", PARENT.toUpperCase(), `00-${"0".repeat(32)}-b7ad6b7169203331-01`, `${PARENT}-x`]) {
    const { traceId, traceParent } = await traceOf(wrong);
    assert.equal(traceParent, null, wrong);
    assert.match(traceId ?? "", /^[0-9a-f-]{36}$/);
  }
});

test("secrets in keys, headers, bodies and addresses stay out of the log and of what is kept", async (t) => {
  const apiKey = "CANARY-api-key";
  const server = await startServer(t, { logLevel: "debug", apiKey });
  const { secret } = await newKey(server, "a", ["admin"]);
  const body = { kind: "quick", payload: { password: "CANARY-payload" }, tags: ["CANARY-tag"] };
  const headers = {
    "x-secret": "CANARY-header",
    cookie: "millrace_session=CANARY-cookie",
    "idempotency-key": "CANARY-idempotency",
    "user-agent": "CANARY-agent",
    referer: "http://CANARY-referer",
  };
  await good(server, jobRoutes.submit, { body, headers });
  await call(server, jobRoutes.submit, { body: { ...body, payload: 2 }, headers });
  await call(server, jobRoutes.submit, { body: '{"CANARY-json', headers: { "content-type": "application/json" } });
  await call(server, jobRoutes.submit, { body: { "CANARY-field": 1 } });
  await call(server, jobRoutes.list, { query: { q: "CANARY-query" } });
  const { jobId } = (await good(server, jobRoutes.submit, { body: { ...body, delayMs: 1e6 } })) as { jobId: string };
  await good(server, jobRoutes.cancel, { params: { jobId }, body: { reason: "CANARY-reason" } });
  for (const key of ["CANARY-wrong", `mr_000000000000_CANARY${"x".repeat(37)}`, secret.slice(0, -1)]) {
    await call(server, jobRoutes.list, { key });
    await call(server, jobRoutes.list, { key: null, headers: { authorization: `Bearer ${key}` } });
    await call(server, accessRoutes.signIn, { key: null, body: { key } });
  }
  await good(server, accessRoutes.signIn, { key: null, body: { key: secret } });
  for (const path of ["/CANARY-path", "/jobs/CANARY-id?key=CANARY-param", "/jobs?CANARY-name=1"]) {
    await held(await send(server, "GET", path, { key: "CANARY-wrong" }));
    await held(await send(server, "GET", path));
  }
  await good(server, systemRoutes.metrics);
  server.program.child.kill("SIGTERM");
  await server.program.ended();
  const said = server.program.stdout() + server.program.stderr();
  assert.match(said, /"auth failed"/);
  assert.match(said, /"submission refused"/);
  assert.deepEqual(said.match(/.*CANARY.*/g), null);
  assert.ok(!said.includes(secret.slice(16)), "the key's secret");
  for (const file of readdirSync(server.folder)) {
    const kept = readFileSync(join(server.folder, file));
    for (const word of ["CANARY-api-key", "CANARY-wrong", "CANARY-cookie", "CANARY-header", secret.slice(16)])
      assert.ok(!kept.includes(word), `${file} holds ${word}`);
  }
});

test("a client that goes away while it waits is no fault to log", async (t) => {
  const server = await startServer(t, { logLevel: "info" });
  const { jobId } = (await good(server, jobRoutes.submit, { body: { kind: "waits", payload: 1 } })) as {
    jobId: string;
  };
  const gone = new AbortController();
  const waiting = fetch(`${server.url}/jobs/${jobId}?wait=30`, { signal: gone.signal }).catch(() => "gone");
  await server.program.said(/"claimed"/);
  gone.abort();
  assert.equal(await waiting, "gone");
  await good(server, jobRoutes.cancel, { params: { jobId } });
  await server.program.said(/"cancelled"/);
  assert.doesNotMatch(server.program.stdout(), /request failed/);
});

function linesOf(server: Server): Record<string, unknown>[] {
  return server.program
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
