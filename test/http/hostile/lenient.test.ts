// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { renderRoutes } from "../../../packages/diagrams/src/api/render.ts";
import { dlqRoutes } from "../../../packages/millrace/src/api/dead-letters.ts";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import type { RouteSpec } from "../../../packages/millrace/src/api/route.ts";
import { systemRoutes } from "../../../packages/millrace/src/api/system.ts";
import { siteRoutes } from "../../../packages/sites/src/api/sites.ts";
import { call, good, held, pathOf, refused, send } from "../support/call.ts";
import { deadLetter, ended, submitted } from "../support/jobs.ts";
import { sharedServer } from "../support/server.ts";

const server = await sharedServer();

/** Ids as people and older tests write them. Few, since a client that misses 200 jobs a minute gets 429. */
const NO_IDS = ["unknown", "job_abc123", "7f8d7b34-93ce-4fd7-9a73-3c6ff1a0b8e1", "a\u0000ä/b", "x".repeat(2_000)];

describe("an id that does not exist", () => {
  const specs = [...Object.values(jobRoutes), ...Object.values(siteRoutes)] as unknown as RouteSpec[];
  for (const spec of specs.filter(({ path }) => path.includes("{jobId}"))) {
    test(`is 404 "Job not found" for ${spec.method} ${spec.path}, whatever its form`, async () => {
      for (const jobId of NO_IDS) {
        const body = spec.body && (spec.example?.body ?? {});
        const { error } = await refused(server, spec, { params: { jobId }, body }, "job-not-found");
        assert.equal(error.error, "Job not found", jobId);
        assert.match(error.hint ?? "", /JOB_RETENTION_MS/);
      }
    });
  }

  test("is skipped where many are named", async () => {
    const none = { matched: 0, changed: 0, dryRun: false, jobIds: [] };
    const body = { ids: ["unknown", "job_abc123"] };
    for (const spec of [jobRoutes.cancelMany, jobRoutes.retryMany, dlqRoutes.revive] as const)
      assert.deepEqual(await good(server, spec as typeof jobRoutes.retryMany, { body }), none);
    assert.deepEqual(await good(server, dlqRoutes.discard, { query: "ids=unknown,job_abc123" }), none);
  });

  test("is 404 also where it names a key, a schedule, a kind or a drawing", async () => {
    const long = "x".repeat(300);
    for (const [method, path] of [
      ["DELETE", `/keys/${long}`],
      ["GET", `/schedules/${long}`],
      ["DELETE", `/schedules/${long}`],
      ["POST", "/kinds/No%20Kind/pause"],
      ["GET", `/d/${long}`],
    ] as const) {
      const response = await send(server, method, path);
      assert.equal(response.status, 404, path);
      await held(response);
    }
  });
});

describe("a query of a GET", () => {
  test("may have unknown parameters, on every route", async () => {
    for (const path of await pathsOf("get")) {
      const [plain, busted] = await Promise.all(
        [path, `${path}?v=2&_=1&_=2&__proto__=1&constructor=1`].map((asked) => statusOf("GET", asked)),
      );
      assert.deepEqual(busted, plain, path);
    }
  });

  test("may have empty parameters, which count as not given", async () => {
    const job = await submitted(server, { kind: "quick", payload: 1, tags: ["empty"] });
    const { jobs, limit } = await good(server, jobRoutes.list, {
      query: "tag=empty&status=&limit=&offset=&q=&kind=&since=&cursor=&inProgress=",
    });
    assert.deepEqual([jobs.map(({ jobId }) => jobId), limit], [[job.jobId], 50]);
    await good(server, jobRoutes.get, { params: { jobId: job.jobId }, query: "wait=" });
    await good(server, dlqRoutes.list, { query: "group=&limit=" });
    await good(server, systemRoutes.metricsHistory, { query: "minutes=&after=" });
  });

  test("does not break a picture by a cache buster", async () => {
    const drawn = await ended(server, { kind: "render", payload: { source: "flowchart LR", format: "mermaid" } });
    const params = drawn.result as { shortlink: string };
    for (const query of ["v=2", "utm_source=mail&v=", "download=", "download=true&v=2"]) {
      const { headers } = await call(server, renderRoutes.drawing, { params, query });
      assert.match(headers.get("content-type") ?? "", /svg/, query);
    }
  });
});

test("a slash at the end of an address makes no difference, on any route and with any body", async () => {
  for (const method of ["get", "post", "put", "delete"] as const) {
    for (const path of await pathsOf(method)) {
      const name = method.toUpperCase();
      const [plain, slashed] = await Promise.all([path, `${path}/`].map((asked) => statusOf(name, asked)));
      assert.deepEqual(slashed, plain, `${name} ${path}/`);
    }
  }
  const body = { kind: "quick", payload: "kept" };
  const response = await send(server, "POST", "/jobs/", { body });
  assert.equal(response.status, 201);
  assert.equal(((await response.json()) as { payload: string }).payload, "kept");
  assert.equal((await send(server, "HEAD", "/health/?v=2")).status, 200);
  assert.equal((await send(server, "POST", "/health/")).status, 405);
  assert.equal((await send(server, "GET", "/jobs//")).status, 404);
});

test("a retry answers with the new job as it was accepted: pending, with nothing tried", async () => {
  let { jobId } = await deadLetter(server);
  for (let times = 0; times < 10; times++) {
    const job = await good(server, jobRoutes.retry, { params: { jobId } });
    const { state, status, inProgress, attempt, retries, retriesTotal, crashes, retryOf } = job;
    assert.deepEqual(
      { state, status, inProgress, attempt, retries, retriesTotal, crashes, retryOf },
      {
        state: "pending",
        status: "pending",
        inProgress: false,
        attempt: 0,
        retries: 0,
        retriesTotal: 0,
        crashes: 0,
        retryOf: jobId,
      },
    );
    const stored = await good(server, jobRoutes.get, { params: { jobId: job.jobId }, query: { wait: 20 } });
    assert.equal(stored.createdAt, job.createdAt);
    jobId = job.jobId;
  }
});

/** What a route answers when it is asked for nothing in particular. */
async function statusOf(method: string, path: string): Promise<[number, string | undefined]> {
  const response = await send(server, method, path);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  if (response.status >= 400 && isJson) return [response.status, ((await response.json()) as { code: string }).code];
  await response.body?.cancel();
  return [response.status, undefined];
}

/** Every address of that method, with names that nothing has. */
async function pathsOf(method: string): Promise<string[]> {
  const document = (await (await send(server, "GET", "/openapi.json")).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const params = { jobId: "job_00000000", keyId: "none", name: "none", kind: "none", shortlink: "AAAAAAAAAAAA" };
  const kroki = { type: "none", format: "svg", encoded: "none" };
  return Object.entries(document.paths)
    .filter(([, methods]) => method in methods)
    .map(([path]) => pathOf(path, { params: { ...params, ...kroki } }));
}
