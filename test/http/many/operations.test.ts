// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessRoutes } from "../../../packages/millrace/src/api/access.ts";
import { dlqRoutes } from "../../../packages/millrace/src/api/dead-letters.ts";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import { operationRoutes } from "../../../packages/millrace/src/api/many/operations.ts";
import { until } from "../../support/until.ts";
import { call, good, refused } from "../support/call.ts";
import { deadLetter, submitted } from "../support/jobs.ts";
import { newKey } from "../support/keys.ts";
import { type Server, startServer } from "../support/server.ts";

describe("operations", () => {
  test("revive all dead letters that match, and take it back", async (t) => {
    const server = await startServer(t);
    const dead = [await deadLetter(server), await deadLetter(server)];
    const body = { action: "revive", filter: { kind: "fails" } } as const;
    const { body: dry } = await call(server, operationRoutes.start, { body: { ...body, dryRun: true } });
    assert.deepEqual([dry.id, dry.total, dry.done], [null, 2, 0]);
    assert.equal((await good(server, operationRoutes.list)).operations.length, 0);

    const { id } = await good(server, operationRoutes.start, { body });
    const done = await ended(server, id as string);
    assert.deepEqual([done.state, done.total, done.done, done.filter], ["completed", 2, 2, { kind: "fails" }]);
    for (const { jobId } of dead) {
      assert.ok((await good(server, jobRoutes.get, { params: { jobId } })).retriedAs);
    }
    const audit = await good(server, accessRoutes.audit);
    const lines = audit.entries.filter(({ target }) => target === id).map(({ what }) => what);
    assert.deepEqual(lines, ["operation completed: revive 2 jobs", "operation started: revive 2 jobs"]);
  });

  test("say what an unclear request lacks", async (t) => {
    const server = await startServer(t);
    const wrong = [
      { action: "revive" },
      { action: "revive", filter: {} },
      { action: "reprioritise", all: true },
      { action: "cancel", all: true, from: "start" },
      { action: "cancel", all: true, answer: 1 },
      { action: "revive", all: true, priority: 1 },
      { action: "revive", filter: { kind: "fails" }, ids: ["job_00000000"] },
      { action: "explode", all: true },
    ];
    for (const body of wrong) await refused(server, operationRoutes.start, { body: body as never }, "invalid-request");
    await refused(server, operationRoutes.find, { params: { operationId: "op_00000000" } }, "operation-not-found");
  });

  test("answer an equal request with the one that runs; pause, resume and stop", async (t) => {
    const server = await startServer(t);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await submitted(server, LATER)).jobId);
    const body = { action: "cancel", filter: { kind: "quick" }, perSecond: 0.05 } as const;
    const first = await call(server, operationRoutes.start, { body });
    assert.equal(first.status, 202);
    const { id } = first.body as { id: string };
    assert.equal(first.headers.get("location"), `/operations/${id}`);
    const second = await call(server, operationRoutes.start, { body });
    assert.deepEqual([second.status, (second.body as { id: string }).id], [200, id]);
    const params = { operationId: id };
    await until("one job is cancelled", async () => (await good(server, operationRoutes.find, { params })).done === 1);
    assert.equal((await good(server, operationRoutes.pause, { params })).state, "paused");
    assert.equal((await good(server, operationRoutes.resume, { params })).state, "running");
    const stopped = await good(server, operationRoutes.stop, { params });
    assert.deepEqual([stopped.state, stopped.done, stopped.total], ["stopped", 1, 3]);
    await refused(server, operationRoutes.resume, { params }, "conflict");
    await refused(server, operationRoutes.undo, { params }, "conflict");
  });

  test("of a tenant's key stay within the tenant, and those over all tenants are not shown to it", async (t) => {
    const server = await startServer(t, { apiKey: "the administrator's" });
    const { jobId } = await submitted(server, LATER, { tenant: "b" });
    const mine = (await submitted(server, LATER, { tenant: "a" })).jobId;
    const { secret: key } = await newKey(server, "a", ["read", "submit"]);
    const body = { action: "cancel", all: true } as const;
    const own = await good(server, operationRoutes.start, { key, body });
    assert.deepEqual([own.total, own.tenant], [1, "a"]);
    await ended(server, own.id as string);
    assert.equal((await good(server, jobRoutes.get, { params: { jobId: mine }, tenant: "a" })).state, "cancelled");
    assert.equal((await good(server, jobRoutes.get, { params: { jobId }, tenant: "b" })).state, "pending");
    const all = await good(server, operationRoutes.start, { tenant: "*", body: { action: "delete", all: true } });
    assert.equal(all.tenant, null);
    await refused(
      server,
      operationRoutes.find,
      { key, params: { operationId: all.id as string } },
      "operation-not-found",
    );
    const listed = await good(server, operationRoutes.list, { key });
    assert.deepEqual(
      listed.operations.map(({ id }) => id),
      [own.id],
    );
  });

  test("take over from the older routes above 1,000 jobs", async (t) => {
    const server = await startServer(t);
    for (let i = 0; i < 2; i++) {
      await good(server, jobRoutes.submit, { body: Array.from({ length: 600 }, () => LATER) as never });
    }
    const { status, body } = await call(server, jobRoutes.cancelMany, { body: { filter: { kind: "quick" } } });
    const { operation, ...rest } = body as { operation: { id: string } };
    assert.equal(status, 202);
    assert.deepEqual(rest, { matched: 1_200, changed: 0, dryRun: false, jobIds: [] });
    assert.equal((await ended(server, operation.id)).done, 1_200);
    assert.equal((await good(server, jobRoutes.list, { query: { status: "pending" } })).jobs.length, 0);
    await refused(server, dlqRoutes.discard, {}, "invalid-request");
  });
});

const LATER = { kind: "quick", payload: 1, delayMs: 3_600_000 };

function ended(server: Server, operationId: string) {
  return until("the operation has ended", async () => {
    const operation = await good(server, operationRoutes.find, { params: { operationId } });
    return operation.endedAt === null ? undefined : operation;
  });
}
