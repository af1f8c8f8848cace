// runtimes: bun or node

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { limiterRoutes } from "../../packages/millrace/src/api/limits/limiters.ts";
import { good, refused, send } from "./support/call.ts";
import { newKey } from "./support/keys.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ apiKey: "root" });
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
