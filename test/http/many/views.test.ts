// runtimes: bun or node

import assert from "node:assert/strict";
import { test } from "node:test";
import { viewRoutes } from "../../../packages/millrace/src/api/many/views.ts";
import { good, refused } from "../support/call.ts";
import { newKey } from "../support/keys.ts";
import { startServer } from "../support/server.ts";

test("views are saved, replaced, listed by name and deleted; each tenant has its own", async (t) => {
  const server = await startServer(t, { apiKey: "the administrator's" });
  const { secret: acme } = await newKey(server, "acme", ["read", "submit"]);
  const { secret: zeta } = await newKey(server, "zeta", ["read", "submit"]);
  const put = (key: string, name: string, path: string) =>
    good(server, viewRoutes.put, { key, params: { name }, body: { path } });
  await put(acme, "slow mail", "/jobs?kind=mail&sort=oldest");
  await put(acme, "failed", "/jobs?status=failed");
  await put(acme, "failed", "/dead-letters?sort=last");
  const own = await good(server, viewRoutes.list, { key: acme });
  assert.deepEqual(
    own.views.map(({ name, path }) => [name, path]),
    [
      ["failed", "/dead-letters?sort=last"],
      ["slow mail", "/jobs?kind=mail&sort=oldest"],
    ],
  );
  assert.deepEqual((await good(server, viewRoutes.list, { key: zeta })).views, []);
  await refused(server, viewRoutes.remove, { key: zeta, params: { name: "failed" } }, "not-found");
  await good(server, viewRoutes.remove, { key: acme, params: { name: "failed" } });
  assert.equal((await good(server, viewRoutes.list, { key: acme })).views.length, 1);
});

test("views over all tenants are not shown to the key of one; a view leads to a page of the dashboard only", async (t) => {
  const server = await startServer(t, { apiKey: "the administrator's" });
  const all = { tenant: "*", params: { name: "acme's failures" }, body: { path: "/jobs?tenant=acme" } };
  await good(server, viewRoutes.put, all);
  const { secret: key } = await newKey(server, "default", ["read", "submit"]);
  assert.deepEqual((await good(server, viewRoutes.list, { key })).views, []);
  for (const path of ["//evil.example/", "https://evil.example", "jobs", ""]) {
    await refused(server, viewRoutes.put, { key, params: { name: "x" }, body: { path } }, "invalid-request");
  }
});

test("a tenant saves a hundred views at most", async (t) => {
  const server = await startServer(t);
  const put = (n: number) => ({ params: { name: `view ${n}` }, body: { path: `/jobs?tag=${n}` } });
  for (let n = 0; n < 100; n++) await good(server, viewRoutes.put, put(n));
  await refused(server, viewRoutes.put, put(100), "conflict");
  await good(server, viewRoutes.put, put(99));
});
