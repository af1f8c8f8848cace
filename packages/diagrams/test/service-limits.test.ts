// runtimes: bun
// What a server keeps of its diagrams, and how many it draws at a time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../test/support/until.ts";
import { loadConfig } from "../../millrace/src/config.ts";
import { retentionMs as diagramRetentionMs, diagrams } from "../src/workload.ts";
import { DiagramServer, edges, flowchart } from "./support/server.ts";

/** Half a second of work on a quiet machine: far longer than the 300 ms after which a drawing counts as slow. */
function seconds(seed: number) {
  return { source: edges(seed).split("\n").slice(0, 101).join("\n"), format: "mermaid" };
}

test("RENDER_CONCURRENCY=1 draws one diagram at a time, also where each takes long", async (t) => {
  const server = await DiagramServer.open(t, { RENDER_CONCURRENCY: "1", RENDER_TIMEOUT_MS: "300000" });
  const submitted = await Promise.all([1, 2, 3].map((seed) => server.render(seconds(seed))));
  const jobs = await Promise.all(submitted.map(({ body }) => server.finished(body.jobId)));
  const times = jobs
    .map(({ startedAt, completedAt }) => ({ from: Date.parse(startedAt), to: Date.parse(completedAt) }))
    .sort((a, b) => a.from - b.from);
  for (const [nth, { from }] of times.entries()) {
    const before = times[nth - 1];
    assert.ok(before === undefined || from >= before.to, JSON.stringify(times));
  }
});

test("a diagram leaves after JOB_RETENTION_MS, drawn or faulty, and after an hour where that is not set", async (t) => {
  const env = { JOB_RETENTION_MS: "1", JOB_CLEANUP_INTERVAL_MS: "50" };
  const server = await DiagramServer.open(t, { ...env, RENDER_CONCURRENCY: "1" });
  for (const diagram of [flowchart("leaves"), { source: "a -> {", format: "d2" }]) {
    const { body } = await server.render(diagram);
    await until("the job is deleted", async () => (await server.ask(`/jobs/${body.jobId}`)).status === 404, 60_000);
  }
  const retentionMs = (given: Record<string, string>) => {
    const loaded = loadConfig(given, { workloads: [diagrams] });
    assert.ok(loaded.ok);
    const { config } = loaded;
    return diagramRetentionMs({ engineSettings: config });
  };
  assert.deepEqual([await retentionMs({}), await retentionMs({ JOB_RETENTION_MS: "5000" })], [3_600_000, 5_000]);
});

test("a diagram that took too long, or did not get a turn in time, is no dead letter and leaves as any other", async (t) => {
  const server = await DiagramServer.open(t, { RENDER_CONCURRENCY: "1", RENDER_TIMEOUT_MS: "200" });
  const long = (await server.render({ source: edges(1), format: "mermaid" })).body.jobId;
  const late = (await server.render({ ...flowchart("late"), expiresInMs: 1 })).body.jobId;
  const ended = [await server.finished(long), await server.finished(late)];
  assert.deepEqual(
    ended.map(({ failure }) => failure?.code),
    ["timed-out", "backpressure"],
  );
  assert.equal((await server.ask("/dlq")).body.total, 0);
});
