// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { dlqRoutes } from "../../packages/millrace/src/api/dead-letters.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { call, good, refused, send } from "./support/call.ts";
import { deadLetter, running, submitted } from "./support/jobs.ts";
import { newKey } from "./support/keys.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ apiKey: "root" });
const A = { tenant: "aaa" };
const B = { tenant: "bbb" };
const C = { tenant: "ccc" };
const LATER = { delayMs: 3_600_000 };

describe("a tenant's administrator", () => {
  test("sees nothing of another tenant, wherever it looks", async () => {
    const { secret: key } = await newKey(server, "aaa", ["admin"], { name: "own" });
    const own = await submitted(server, { kind: "quick", payload: "secret of aaa", ...LATER }, A);
    await submitted(server, { kind: "quick", payload: "secret of bbb", ...LATER }, B);
    await deadLetter(server, { message: "secret of bbb" }, B);
    const busy = await running(server, "waits", B);
    await newKey(server, "bbb", ["read"], { name: "secret of bbb" });
    const rule = { cron: "0 0 1 1 *", kind: "quick", payload: "secret of bbb" };
    await good(server, systemRoutes.putSchedule, { params: { name: "secret-of-bbb" }, ...B, body: rule });
    await good(server, jobRoutes.cancel, { params: { jobId: (await running(server, "waits", B)).jobId }, ...B });
    const paths = [
      "/jobs?limit=500",
      "/jobs?q=secret",
      "/dlq?group=error",
      "/kinds",
      "/schedules",
      "/keys",
      "/tenants",
      "/audit?limit=500",
      "/session",
    ];
    for (const path of paths) {
      for (const accept of ["application/json", "text/plain"]) {
        const response = await send(server, "GET", path, { key, headers: { accept } });
        assert.equal(response.status, 200, path);
        const text = await response.text();
        assert.doesNotMatch(text, /bbb/, `${path} tells of another tenant`);
        assert.ok(!text.includes(busy.jobId), `${path} tells of another's job`);
      }
    }
    const { jobs } = await good(server, jobRoutes.list, { key });
    assert.deepEqual(
      jobs.map(({ jobId }) => jobId),
      [own.jobId],
    );
    const { entries } = await good(server, accessRoutes.audit, { key, query: { limit: 1 } });
    assert.equal(entries[0]?.tenant, "aaa", "others' entries take no place on the page");
    await good(server, jobRoutes.cancel, { params: { jobId: busy.jobId }, ...B });
  });

  test("gets neither stacks nor paths of the server nor the process that ran a job; the administrator does", async () => {
    const { secret: key } = await newKey(server, "ccc", ["admin"]);
    const message = `Cannot read '${process.cwd()}/secret/config.ts:3:1'.`;
    const { jobId } = await deadLetter(server, { message }, C);
    const params = { jobId };
    const paths = [
      `/jobs/${jobId}`,
      `/jobs/${jobId}/attempts`,
      `/jobs/${jobId}/logs`,
      "/jobs?status=failed",
      "/dlq?group=error",
    ];
    for (const path of paths) {
      // Its own payload is the tenant's.
      const text = (await (await send(server, "GET", path, { key })).text()).replaceAll(
        JSON.stringify({ message }),
        "",
      );
      assert.doesNotMatch(text, /"stack"|"processor"|node_modules|\.ts:\d+:\d+\)/, path);
      assert.ok(!text.includes(JSON.stringify(process.cwd()).slice(1, -1)), `${path}: ${text}`);
    }
    const [own] = (await good(server, jobRoutes.attempts, { params, key })).attempts;
    assert.equal(own?.failure?.message, "Cannot read 'config.ts:3:1'.");
    const [whole] = (await good(server, jobRoutes.attempts, { params, ...C })).attempts;
    assert.ok(whole?.processor && String(whole.failure?.["stack"]).includes(process.cwd()));
  });

  test("acts on nothing of another tenant, by id or by filter", async () => {
    const { secret: key } = await newKey(server, "aaa", ["admin"]);
    const theirs = await submitted(server, { kind: "quick", payload: 1, tags: ["shared"], ...LATER }, B);
    const dead = await deadLetter(server, {}, B);
    const ids = [theirs.jobId, dead.jobId];
    for (const spec of [jobRoutes.cancelMany, jobRoutes.retryMany, dlqRoutes.revive] as const) {
      for (const body of [{ ids }, { filter: { tag: "shared" } }, { filter: {} }]) {
        const { matched } = await good(server, spec as typeof jobRoutes.cancelMany, {
          key,
          body: { ...body, dryRun: true },
        });
        const before = await good(server, jobRoutes.get, { params: { jobId: theirs.jobId }, ...B });
        await good(server, spec as typeof jobRoutes.cancelMany, { key, body });
        assert.deepEqual(await good(server, jobRoutes.get, { params: { jobId: theirs.jobId }, ...B }), before);
        if ("ids" in body) assert.equal(matched, 0);
      }
      const body = { filter: { tenant: "bbb" } };
      await refused(server, spec as typeof jobRoutes.cancelMany, { key, body }, "forbidden");
    }
    assert.equal((await good(server, dlqRoutes.discard, { key, query: { all: true } })).changed, 0);
    await refused(server, jobRoutes.list, { key, query: { tenant: "bbb" } }, "forbidden");
    const forOther = { name: "x", tenant: "bbb", scopes: ["admin"] };
    await refused(server, accessRoutes.createKey, { key, body: forOther }, "forbidden");
    const rule = { cron: "* * * * *", kind: "quick", payload: 1, tenant: "bbb" };
    await refused(server, systemRoutes.putSchedule, { key, params: { name: "n" }, body: rule }, "forbidden");
  });
});

describe("the administrator", () => {
  test("is one tenant at a time, and all of them to read", async () => {
    const job = await submitted(server, { kind: "quick", payload: 1, ...LATER }, B);
    const params = { jobId: job.jobId };
    await refused(server, jobRoutes.get, { params }, "job-not-found");
    await refused(server, jobRoutes.get, { params, ...A }, "job-not-found");
    await good(server, jobRoutes.get, { params, ...B });
    await good(server, jobRoutes.get, { params, tenant: "*" });
    const { jobs } = await good(server, jobRoutes.list, { tenant: "*" });
    assert.ok(new Set(jobs.map(({ tenant }) => tenant)).size > 1);
    const byFilter = await good(server, jobRoutes.list, { query: { tenant: "bbb" } });
    assert.ok(byFilter.jobs.every(({ tenant }) => tenant === "bbb"));
    await refused(server, jobRoutes.submit, { tenant: "*", body: { kind: "quick", payload: 1 } }, "invalid-request");
    await good(server, jobRoutes.cancel, { params, tenant: "*" });
    const { entries } = await good(server, accessRoutes.audit, { query: { limit: 1 } });
    assert.partialDeepStrictEqual(entries, [
      { who: "API_KEY", what: "job cancelled", target: job.jobId, tenant: "bbb" },
    ]);
    assert.ok(entries[0]?.traceId);
    const { tenants } = await good(server, accessRoutes.tenants);
    assert.ok(tenants.some(({ tenant }) => tenant === "bbb"));
  });

  test("may be named by Bearer as well as by X-API-Key", async () => {
    const ok = await call(server, jobRoutes.list, { key: null, headers: { authorization: "Bearer root" } });
    assert.equal(ok.status, 200);
    for (const authorization of ["Basic cm9vdA==", "Bearer", "Bearer root root", "root"])
      await refused(server, jobRoutes.list, { key: null, headers: { authorization } }, "unauthorized");
  });
});
