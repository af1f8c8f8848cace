// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { limiterRoutes } from "../../packages/millrace/src/api/limits/limiters.ts";
import { limitRoutes } from "../../packages/millrace/src/api/limits/tenants.ts";
import { call, good, refused, send } from "./support/call.ts";
import { running } from "./support/jobs.ts";
import { newKey } from "./support/keys.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ apiKey: "root" });
const LIMITS = {
  concurrency: 5,
  rate: { count: 100, perMs: 60_000 },
  weight: 2.5,
  queueMax: 0,
  overflow: "queue",
} as const;

function ofTenant(tenant: string) {
  return { params: { tenant } };
}

describe("the limits of a tenant's own", () => {
  test("are put, read, listed with the tenant, replaced and deleted", async () => {
    assert.deepEqual(await good(server, limitRoutes.tenantLimits, ofTenant("acme")), { tenant: "acme", limits: {} });
    const put = await good(server, limitRoutes.putTenantLimits, { ...ofTenant("acme"), body: LIMITS });
    assert.deepEqual(put, { tenant: "acme", limits: LIMITS });
    assert.deepEqual((await good(server, limitRoutes.tenantLimits, ofTenant("acme"))).limits, LIMITS);
    const { tenants } = await good(server, accessRoutes.tenants);
    assert.deepEqual(tenants.find(({ tenant }) => tenant === "acme")?.limits, LIMITS);
    await good(server, limitRoutes.putTenantLimits, { ...ofTenant("acme"), body: { weight: 1 } });
    assert.deepEqual((await good(server, limitRoutes.tenantLimits, ofTenant("acme"))).limits, { weight: 1 });
    await good(server, limitRoutes.removeTenantLimits, ofTenant("acme"));
    assert.deepEqual((await good(server, limitRoutes.tenantLimits, ofTenant("acme"))).limits, {});
    await refused(server, limitRoutes.removeTenantLimits, ofTenant("acme"), "not-found");
  });

  test("are in the audit list, with the values and the tenant", async () => {
    await good(server, limitRoutes.putTenantLimits, { ...ofTenant("told"), body: { concurrency: 3 } });
    await good(server, limitRoutes.removeTenantLimits, ofTenant("told"));
    const { entries } = await good(server, accessRoutes.audit, { query: { limit: 2 } });
    assert.deepEqual(
      entries.map(({ what, target, tenant }) => ({ what, target, tenant })),
      [
        { what: "tenant limits removed", target: undefined, tenant: "told" },
        { what: "tenant limits set", target: '{"concurrency":3}', tenant: "told" },
      ],
    );
  });

  test("are changed by the administrator of all tenants alone; the tenant's own reads them", async () => {
    const { secret: key } = await newKey(server, "own", ["admin"]);
    await refused(server, limitRoutes.putTenantLimits, { ...ofTenant("own"), key, body: { weight: 100 } }, "forbidden");
    await refused(server, limitRoutes.removeTenantLimits, { ...ofTenant("own"), key }, "forbidden");
    assert.deepEqual((await good(server, limitRoutes.tenantLimits, { ...ofTenant("own"), key })).limits, {});
    await refused(server, limitRoutes.tenantLimits, { ...ofTenant("other"), key }, "not-found");
  });

  test("are refused when they are wrong, with the path of what is", async () => {
    const wrong: [unknown, string][] = [
      [{ concurrency: -1 }, "concurrency"],
      [{ concurrency: 1.5 }, "concurrency"],
      [{ concurrency: 1e12 }, "concurrency"],
      [{ rate: { count: 1 } }, "rate.perMs"],
      [{ rate: { count: 1, perMs: 0 } }, "rate.perMs"],
      [{ weight: 0 }, "weight"],
      [{ weight: 1_000 }, "weight"],
      [{ overflow: "drop" }, "overflow"],
      [{ priority: 1 }, "priority"],
    ];
    for (const [body, path] of wrong) {
      const response = await send(server, "PUT", "/tenants/acme/limits", { body });
      assert.equal(response.status, 422, JSON.stringify(body));
      const { issues } = (await response.json()) as { issues: { path: string }[] };
      assert.ok(
        issues.some((issue) => issue.path === path),
        `${JSON.stringify(body)}: ${JSON.stringify(issues)}`,
      );
    }
    await refused(server, limitRoutes.putTenantLimits, { ...ofTenant("-not-a-tenant"), body: {} }, "invalid-request");
  });

  test("are named in the 429 of a submission", async () => {
    await good(server, limitRoutes.putTenantLimits, { ...ofTenant("named"), body: { concurrency: 1 } });
    await running(server, "waits", { tenant: "named" });
    const body = { kind: "quick", payload: 1 };
    const { error } = await refused(server, jobRoutes.submit, { tenant: "named", body }, "tenant-busy");
    assert.equal(error.limit, "concurrency");
    assert.equal(error.error, '1 job is running; the limit of tenant "named" is 1.');
    const answer = await call(server, jobRoutes.submit, { tenant: "unnamed", body });
    assert.equal(answer.status, 201);
  });
});

const RULE = { count: 60, perMs: 60_000, perDay: 1_000, perTenantPerDay: 10.5 };

test("a limiter is set, listed, reset and in the audit list", async () => {
  const params = { name: "open ai/v1" };
  const set = await good(server, limiterRoutes.putLimiter, { params, body: RULE });
  assert.deepEqual(set, { name: "open ai/v1", rule: RULE, isSet: true, left: 60, usedToday: 0, tenants: [] });
  const { limiters } = await good(server, limiterRoutes.limiters);
  assert.deepEqual(
    limiters.find(({ name }) => name === params.name),
    set,
  );
  assert.deepEqual(await good(server, limiterRoutes.unblockLimiter, { params }), set);
  await good(server, limiterRoutes.resetLimiter, { params });
  await refused(server, limiterRoutes.resetLimiter, { params }, "not-found");
  await refused(server, limiterRoutes.unblockLimiter, { params }, "not-found");
  const { entries } = await good(server, accessRoutes.audit, { query: { limit: 3 } });
  assert.deepEqual(
    entries.map(({ what, target }) => [what, target]),
    [
      ["limiter reset", "open ai/v1"],
      ["limiter unblocked", "open ai/v1"],
      ["limiter set", `open ai/v1 ${JSON.stringify(RULE)}`],
    ],
  );
});

test("a rule that is wrong is refused with the path of what is", async () => {
  const wrong: [unknown, string][] = [
    [{ count: 0, perMs: 1 }, "count"],
    [{ count: 1 }, "perMs"],
    [{ count: 1, perMs: 1, perDay: 0 }, "perDay"],
    [{ count: 1, perMs: 1, perWeek: 1 }, "perWeek"],
  ];
  for (const [body, path] of wrong) {
    const response = await send(server, "PUT", "/limiters/x", { body });
    assert.equal(response.status, 422, JSON.stringify(body));
    const { issues } = (await response.json()) as { issues: { path: string }[] };
    assert.ok(
      issues.some((issue) => issue.path === path),
      JSON.stringify(issues),
    );
  }
});

test("limiters are the administrator's", async () => {
  const { secret: key } = await newKey(server, "own", ["admin"]);
  await refused(server, limiterRoutes.limiters, { key }, "forbidden");
  await refused(server, limiterRoutes.putLimiter, { params: { name: "x" }, key, body: RULE }, "forbidden");
});
