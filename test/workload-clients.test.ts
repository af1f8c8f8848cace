import assert from "node:assert/strict";
import { test } from "node:test";
import { renderRoutes } from "../packages/diagrams/src/api/render.ts";
import { diagramRouteTable } from "../packages/diagrams/src/client.ts";
import type { RouteSpec } from "../packages/millrace/src/api/route.ts";
import { siteRoutes } from "../packages/sites/src/api/sites.ts";
import { siteRouteTable } from "../packages/sites/src/client.ts";

test("the client calls of the workloads go to the routes of their servers", () => {
  const spelt = (specs: Record<string, RouteSpec>) =>
    Object.fromEntries(Object.entries(specs).map(([name, { method, path }]) => [name, `${method} ${path}`]));
  assert.deepEqual(diagramRouteTable, spelt(renderRoutes as never));
  assert.deepEqual(siteRouteTable, spelt(siteRoutes as never));
});
