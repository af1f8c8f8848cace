// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { call, good, refused } from "./support/call.ts";
import { ended, running, submitted, until } from "./support/jobs.ts";
import { sharedServer, startServer } from "./support/server.ts";

const server = await sharedServer();

test("health says that it is well, and more to whoever may know", async (t) => {
  assert.partialDeepStrictEqual(await good(server, systemRoutes.health), { status: "ok", problems: [], unserved: [] });
  const locked = await startServer(t, { apiKey: "k" });
  const { timestamp, ...open } = await good(locked, systemRoutes.health, { key: null });
  assert.ok(Date.parse(timestamp) > 0);
  assert.deepEqual(Object.keys(open), ["status", "uptime"]);
  assert.ok("problems" in (await good(locked, systemRoutes.health)));
  assert.deepEqual((await good(locked, systemRoutes.ready)).reasons, []);
  const { timestamp: _at, ...ready } = await good(locked, systemRoutes.ready, { key: null });
  assert.deepEqual(ready, { ready: true });
});

test("kinds show stages, limits and counts; pause and resume stop and start claims", async () => {
  const { kinds } = await good(server, systemRoutes.kinds);
  const piped = kinds.find(({ kind }) => kind === "piped");
  assert.deepEqual(
    piped?.stages.map(({ stage, isolation }) => [stage, isolation]),
    [
      ["fetch", "inline"],
      ["form", "inline"],
    ],
  );
  const strict = kinds.find(({ kind }) => kind === "strict");
  assert.partialDeepStrictEqual(strict?.payloadSchema, { type: "object", required: ["name"] });
  assert.ok(kinds.every(({ served }) => served));
  const params = { kind: "strict" };
  assert.deepEqual(await good(server, systemRoutes.pause, { params }), { kind: "strict", paused: true });
  const { jobId } = await submitted(server, { kind: "strict", payload: { name: "x" } });
  await ended(server, { kind: "quick", payload: 1 });
  const { state } = await good(server, jobRoutes.get, { params: { jobId } });
  assert.equal(state, "pending");
  assert.equal((await good(server, systemRoutes.kinds)).kinds.find(({ kind }) => kind === "strict")?.paused, true);
  assert.deepEqual(await good(server, systemRoutes.resume, { params }), { kind: "strict", paused: false });
  await until(server, jobId, (job) => job.state === "completed");
  await refused(server, systemRoutes.pause, { params: { kind: "nobody" } }, "kind-unknown");
  await refused(server, systemRoutes.pause, { params: { kind: "No Kind" } }, "not-found");
});

test("pools show each processor, what it holds and since when", async () => {
  const job = await running(server);
  const { pools } = await good(server, systemRoutes.pools);
  const pool = pools.find((each) => each.pool === "waits/running");
  assert.equal(pool?.size, pool?.processors.length);
  const busy = pool?.processors.find(({ state }) => state === "busy");
  assert.equal(busy?.jobId, job.jobId);
  assert.ok(busy?.since && busy.deadline);
  await good(server, jobRoutes.cancel, { params: { jobId: job.jobId } });
});

describe("schedules", () => {
  const params = { name: "every monday" };
  const body = { cron: "30 6 * * 1", timeZone: "Europe/Berlin", kind: "quick", payload: { a: 1 }, tags: ["t"] };

  test("are put, shown with their next fires, replaced and removed", async () => {
    const made = await good(server, systemRoutes.putSchedule, { params, body });
    assert.partialDeepStrictEqual(made, {
      ...body,
      name: params.name,
      tenant: "default",
      overlap: "skip",
      missed: "once",
    });
    assert.equal(made.nextFires.length, 5);
    assert.equal(made.nextFires[0], made.nextAt);
    const replaced = await good(server, systemRoutes.putSchedule, { params, body: { ...body, paused: true } });
    assert.equal(replaced.paused, true);
    assert.deepEqual((await good(server, systemRoutes.schedules)).schedules, [replaced]);
    assert.deepEqual(await good(server, systemRoutes.schedule, { params }), replaced);
    await good(server, systemRoutes.removeSchedule, { params });
    for (const spec of [systemRoutes.schedule, systemRoutes.removeSchedule] as const)
      await refused(server, spec as typeof systemRoutes.schedule, { params }, "not-found");
  });

  test("that are none are refused", async () => {
    const wrong = [
      { ...body, cron: "often" },
      { ...body, cron: "0 0 30 2 *" },
      { ...body, timeZone: "Mars/Olympus" },
      { ...body, kind: "Quick" },
      { ...body, overlap: "maybe" },
      { ...body, tenant: "a b" },
      { ...body, surprise: 1 },
      { ...body, payload: "\0" },
    ];
    for (const each of wrong)
      await refused(server, systemRoutes.putSchedule, { params, body: each }, "invalid-request");
    await refused(server, systemRoutes.putSchedule, { params, body: { ...body, kind: "nobody" } }, "kind-unknown");
    const strict = { ...body, kind: "strict", payload: {} };
    await refused(server, systemRoutes.putSchedule, { params, body: strict }, "invalid-request");
    assert.equal((await call(server, systemRoutes.schedule, { params: { name: "a/b" } })).status, 404);
  });
});
