// runtimes: bun or node
// Batches and flows over HTTP, with the typed client.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { createClient } from "../../../packages/millrace/src/client/index.ts";
import { createHandler } from "../../../packages/millrace/src/http/index.ts";
import { defineKind } from "../../../packages/millrace/src/index.ts";
import { until } from "../../support/until.ts";
import { withEngine } from "../support/engine.ts";

const double = defineKind({
  name: "double",
  payload: z.number(),
  maxAttempts: 1,
  run: async (ctx, n) => {
    if (n < 0) throw new Error("Negative.");
    return { doubled: n * 2, batch: ctx.batch?.total ?? null };
  },
});

test("a batch and a flow are made, followed and bounded to their tenant over HTTP", async () => {
  await withEngine({ kinds: [double] }, async ({ millrace }) => {
    const handlers: ReturnType<typeof createHandler>[] = [];
    const clientFor = (tenant: string) => {
      const handler = createHandler(millrace, { auth: () => ({ name: "ada", tenant, scopes: ["submit", "read"] }) });
      handlers.push(handler);
      const fetch = async (url: string, init?: RequestInit) => handler(new Request(url, init));
      return createClient({ baseUrl: "http://millrace.test", fetch });
    };
    const client = clientFor("acme");
    const batch = await client.createBatch({ onEnd: { kind: "double", payload: 1 } });
    assert.deepEqual([batch.state, batch.total, batch.onEnd], ["open", 0, "double"]);
    const jobs = [1, 2, -1].map((payload) => ({ kind: "double", payload }));
    const ids = await client.addToBatch(batch.id, jobs, { idempotencyKey: "piece" });
    assert.deepEqual(await client.addToBatch(batch.id, jobs, { idempotencyKey: "piece" }), ids);
    await client.sealBatch(batch.id);
    const ended = await until("the batch has ended", async () => {
      const now = await client.batch(batch.id);
      return now.state === "ended" && now;
    });
    assert.deepEqual([ended.total, ended.completed, ended.failed, ended.pending], [3, 2, 1, 0]);
    await assert.rejects(client.addToBatch(batch.id, jobs), { code: "conflict" });
    assert.equal(await client.retryBatch(batch.id), 1);
    assert.deepEqual(
      (await client.batches()).batches.map(({ id }) => id),
      [batch.id],
    );
    const other = clientFor("other");
    await assert.rejects(other.batch(batch.id), { code: "batch-not-found" });
    assert.deepEqual((await other.batches()).batches, []);

    const flow = await client.submitFlow([
      { name: "first", job: { kind: "double", payload: 2 } },
      { name: "second", after: ["first"], job: { kind: "double", payload: 3 } },
    ]);
    const second = await until("the second job completed", async () => {
      const job = await millrace.find(flow["second"] ?? "");
      return job?.state === "completed" && job;
    });
    assert.deepEqual(second.result, { doubled: 6, batch: null });
    await assert.rejects(client.submitFlow([{ name: "a", after: ["b"], job: { kind: "double", payload: 2 } }]), {
      code: "invalid-request",
    });
    for (const handler of handlers) handler.close();
  });
});
