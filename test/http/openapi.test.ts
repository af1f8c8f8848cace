// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inkRoutes } from "../../packages/diagrams/src/api/ink.ts";
import { krokiRoutes } from "../../packages/diagrams/src/api/kroki.ts";
import { renderRoutes } from "../../packages/diagrams/src/api/render.ts";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { dlqRoutes } from "../../packages/millrace/src/api/dead-letters.ts";
import { ERRORS } from "../../packages/millrace/src/api/errors.ts";
import { LiveEvents, liveRoutes } from "../../packages/millrace/src/api/feeds/live.ts";
import { streamRoutes } from "../../packages/millrace/src/api/feeds/streams.ts";
import { groupRoutes } from "../../packages/millrace/src/api/groups.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { limiterRoutes } from "../../packages/millrace/src/api/limits/limiters.ts";
import { limitRoutes } from "../../packages/millrace/src/api/limits/tenants.ts";
import { operationRoutes } from "../../packages/millrace/src/api/many/operations.ts";
import { viewRoutes } from "../../packages/millrace/src/api/many/views.ts";
import type { RouteSpec } from "../../packages/millrace/src/api/route.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { workflowRoutes } from "../../packages/millrace/src/api/workflow.ts";
import { workloadRoutes } from "../../packages/millrace/src/api/workloads.ts";
import { siteRoutes } from "../../packages/sites/src/api/sites.ts";
import { pathOf, send } from "./support/call.ts";
import { documentOf, everywhere, routesOf, type Schema } from "./support/openapi.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer();
const document = await documentOf(server);
const routes = routesOf(document);
const SPECS = [
  jobRoutes,
  renderRoutes,
  inkRoutes,
  krokiRoutes,
  siteRoutes,
  dlqRoutes,
  systemRoutes,
  workflowRoutes,
  groupRoutes,
  operationRoutes,
  viewRoutes,
  streamRoutes,
  workloadRoutes,
  accessRoutes,
  limitRoutes,
  limiterRoutes,
  liveRoutes,
].flatMap((group) => Object.values(group) as unknown as RouteSpec[]);

describe("the document", () => {
  test("has the form of OpenAPI 3.1", () => {
    assert.match(document.openapi, /^3\.1\.\d$/);
    assert.ok(document.info.title && document.info.version);
    const ids = routes.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length, "operation ids are unique");
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { method, path, operation } of routes) {
      const where = `${method} ${path}`;
      assert.match(operation.operationId, /^[a-zA-Z]\w*$/, where);
      assert.ok(operation.summary && operation.tags.every((tag) => tags.has(tag)), where);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = operation.parameters.filter((each) => each.in === "path");
      assert.deepEqual(
        named.map(({ name }) => name),
        inPath,
        where,
      );
      assert.ok(
        named.every(({ required }) => required),
        where,
      );
      const keys = operation.parameters.map((each) => `${each.in} ${each.name}`);
      assert.equal(new Set(keys).size, keys.length, where);
      for (const scheme of operation.security.flatMap(Object.keys))
        assert.ok(scheme in document.components.securitySchemes, where);
      for (const [status, response] of Object.entries(operation.responses)) {
        assert.match(status, /^[2-5]\d\d$/);
        assert.ok(response.description, where);
        if (Number(status) >= 400 && !(["/health", "/ready"].includes(path) && status === "503"))
          assert.deepEqual(
            response.content?.["application/json"]?.schema,
            { $ref: "#/components/schemas/Error" },
            where,
          );
      }
    }
  });

  test("has schemas whose references lead somewhere and whose types exist", () => {
    for (const ref of everywhere(document, "$ref")) {
      const [, name] = /^#\/components\/schemas\/([\w.-]+)$/.exec(String(ref)) ?? [];
      assert.ok(name !== undefined && name in document.components.schemas, String(ref));
    }
    const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
    for (const schema of schemas(document)) {
      const { type } = schema as { type?: unknown };
      if (typeof type === "string") assert.ok(types.has(type), JSON.stringify(schema));
      assert.ok(!("wire" in schema) && !("$defs" in schema) && !("$schema" in schema), JSON.stringify(schema));
    }
  });

  test("says of numbers in a query that they are numbers, with their bounds", () => {
    const list = document.paths["/jobs"]?.["get"]?.parameters ?? [];
    const schemaOf = (name: string) => list.find((each) => each.name === name)?.schema;
    assert.deepEqual(schemaOf("limit"), { type: "integer", minimum: 1, maximum: 500 });
    assert.deepEqual(schemaOf("inProgress"), { type: "boolean" });
  });

  test("lists every error a route can give, and of all codes each somewhere", () => {
    const described = JSON.stringify(routes.map(({ operation }) => operation.responses));
    // The first comes from every route, the second from routes that a workload brings.
    const unlisted = new Set(["method-not-allowed", "record-conflict"]);
    for (const code of Object.keys(ERRORS))
      assert.ok(unlisted.has(code) || described.includes(`\`${code}\``), `${code} is nowhere`);
    for (const { method, path, operation } of routes) {
      const isOpen = operation.security.length === 0;
      for (const status of ["401", "403"]) if (!isOpen) assert.ok(status in operation.responses, `${method} ${path}`);
      assert.ok("500" in operation.responses && "503" in operation.responses, `${method} ${path}`);
    }
  });

  test("has examples that fit their schemas, and one body each for what takes one", async () => {
    for (const spec of SPECS) {
      const where = `${spec.method} ${spec.path}`;
      const fits = async (schema: RouteSpec["body"], value: unknown) => {
        if (value !== undefined) assert.equal((await schema?.["~standard"].validate(value))?.issues, undefined, where);
      };
      await fits(spec.body, spec.example?.body);
      await fits(spec.answer, spec.example?.answer);
      if (spec.body) assert.ok(spec.example?.body !== undefined, `${where} has no example of a body`);
    }
  });
});

test("the live feed's events stand in the document, each with the shape of its data", () => {
  const feeds = everywhere(document, "text/event-stream") as { schema: { oneOf: LiveEvent[] } }[];
  const stream = feeds.find(({ schema }) => schema.oneOf[0]?.properties.event.const === "job");
  const events = stream?.schema.oneOf.map(({ properties }) => properties) ?? [];
  assert.deepEqual(
    events.map(({ event }) => event.const),
    Object.keys(LiveEvents),
  );
  assert.deepEqual(events[0]?.data, { $ref: "#/components/schemas/LiveJob" });
  const [described] = everywhere(document, "LiveJob") as { properties: object }[];
  assert.deepEqual(Object.keys(described?.properties ?? {}), Object.keys(LiveEvents.job.shape));
});

interface LiveEvent {
  properties: { event: { const: string }; data: Schema };
}

test("every route of the document is served, and nothing else is", async () => {
  const names = (all: { method: string; path: string }[]) =>
    new Set(all.map(({ method, path }) => `${method} ${path}`));
  assert.deepEqual(names(routes), names(SPECS));
  const params = {
    jobId: "job_00000000",
    keyId: "0",
    name: "unheard-of",
    kind: "unheard-of",
    shortlink: "AAAAAAAAAAAA",
  };
  for (const { method, path } of routes) {
    const response = await send(server, method, pathOf(path, { params }));
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const isError = response.status >= 400 && isJson;
    const { code } = isError ? ((await response.json()) as { code: string }) : { code: "" };
    if (!isError) await response.body?.cancel();
    assert.ok(response.status !== 405 && response.status < 500, `${method} ${path}: ${response.status}`);
    if (!/[{]/.test(path)) assert.notEqual(code, "not-found", `${method} ${path}`);
  }
  const methods = ["GET", "POST", "PUT", "DELETE", "PATCH"];
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  for (const path of new Set(routes.map((route) => route.path))) {
    for (const method of methods.filter((each) => !known.has(`${each} ${path}`))) {
      const body = { body: { priority: 1 } };
      const { status } = await send(server, method, pathOf(path, { params }), method === "PATCH" ? body : {});
      // `/jobs/cancel` also has the form of `/jobs/{jobId}`, and is the id of no job.
      const alsoAnId = /^\/jobs\/(cancel|retry|export)$/.test(path) && known.has(`${method} /jobs/{jobId}`);
      // `/kroki/health` also has the form of `/kroki/{type}`, and is no type.
      const alsoAType = /^\/kroki\/(v1\/)?healthz?$/.test(path) && method === "POST";
      assert.equal(status, alsoAnId || alsoAType ? 404 : 405, `${method} ${path} is served and not in the document`);
    }
  }
});

test("the page to read makes no request to anywhere and runs nothing", async () => {
  const response = await fetch(`${server.url}/docs`);
  const html = await response.text();
  const policy = response.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src|https?:/);
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.doesNotMatch(html, /<script|<img|<link|<iframe|@import|url\(|src=|https?:\/\/|javascript:| on\w+=/i);
  for (const { method, path } of routes) assert.ok(html.includes(`<b>${method}</b> <code>${path}</code>`), path);
  for (const code of Object.keys(ERRORS)) assert.ok(html.includes(`<code>${code}</code>`), code);
  // Every place it leads to is there, and once.
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, "ids are unique");
  for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(id), `#${id}`);
  // What goes into a route and comes out of it stands there by name.
  for (const field of ["payload", "maxRetries", "expiresInMs", "perSecond", "lastEventId", "retriedAs"])
    assert.ok(html.includes(`<td><code>${field}</code>`), field);
});

function schemas(value: unknown): Schema[] {
  return [
    ...everywhere(value, "schema"),
    ...everywhere(value, "items"),
    ...[...everywhere(value, "schemas"), ...everywhere(value, "properties")].flatMap((all) =>
      Object.values(all as object),
    ),
  ].filter((each): each is Schema => typeof each === "object" && each !== null);
}
