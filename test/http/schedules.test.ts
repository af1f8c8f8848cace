// runtimes: bun or node

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { good, refused } from "./support/call.ts";
import { newKey } from "./support/keys.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ apiKey: "root", settings: { maxSchedulesPerTenant: 2 } });
const params = { name: "nightly" };
const body = { cron: "0 3 * * *", kind: "quick", payload: 1 };

test("a name belongs to its tenant: another tenant takes the same one and learns nothing of it", async () => {
  const { secret: a } = await newKey(server, "a", ["admin"]);
  const { secret: b } = await newKey(server, "b", ["admin"]);
  await good(server, systemRoutes.putSchedule, { key: a, params, body: { ...body, payload: "of a" } });
  await refused(server, systemRoutes.schedule, { key: b, params }, "not-found");
  await refused(server, systemRoutes.schedule, { key: b, params, query: { tenant: "a" } }, "not-found");
  await refused(server, systemRoutes.removeSchedule, { key: b, params }, "not-found");
  const own = await good(server, systemRoutes.putSchedule, { key: b, params, body: { ...body, payload: "of b" } });
  assert.deepEqual([own.tenant, own.payload, own.nextFires.length], ["b", "of b", 5]);
  for (const [key, tenant] of [
    [a, "a"],
    [b, "b"],
  ] as const) {
    const { schedules } = await good(server, systemRoutes.schedules, { key });
    assert.deepEqual(
      schedules.map((each) => [each.tenant, each.payload]),
      [[tenant, `of ${tenant}`]],
    );
  }
  const { schedules } = await good(server, systemRoutes.schedules);
  assert.deepEqual(
    schedules.map(({ tenant }) => tenant),
    ["a", "b"],
  );
  await refused(server, systemRoutes.schedule, { params }, "conflict");
  assert.equal((await good(server, systemRoutes.schedule, { params, query: { tenant: "a" } })).payload, "of a");
  assert.equal((await good(server, systemRoutes.schedule, { params, tenant: "b" })).payload, "of b");
  await good(server, systemRoutes.removeSchedule, { params, query: { tenant: "a" } });
  assert.equal((await good(server, systemRoutes.schedule, { params })).tenant, "b", "the only one left");
});

test("a tenant has as many schedules as it may, and can still change those it has", async () => {
  const put = (name: string, more = {}) => ({ tenant: "full", params: { name }, body: { ...body, ...more } });
  await good(server, systemRoutes.putSchedule, put("1"));
  await good(server, systemRoutes.putSchedule, put("2"));
  const { error } = await refused(server, systemRoutes.putSchedule, put("3"), "conflict");
  assert.match(error.hint ?? "", /MAX_SCHEDULES_PER_TENANT/);
  assert.equal((await good(server, systemRoutes.putSchedule, put("2", { paused: true }))).paused, true);
  await good(server, systemRoutes.removeSchedule, { tenant: "full", params: { name: "1" } });
  await good(server, systemRoutes.putSchedule, put("3"));
});
