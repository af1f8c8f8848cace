// runtimes: bun or node

import assert from "node:assert/strict";
import { test } from "node:test";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../packages/millrace/src/api/system.ts";
import { good, send } from "./support/call.ts";
import { deadLetter, ended, submitted } from "./support/jobs.ts";
import { type Server, sharedServer } from "./support/server.ts";

const server = await sharedServer();

// As the scrapers send it: Prometheus 2, Prometheus 3, 3 with native histograms, and VictoriaMetrics' agent.
const SCRAPERS = [
  "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
  "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
  "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.4,*/*;q=0.2",
  "text/plain;version=0.0.4;q=1,*/*;q=0.1",
];
const OTHERS = [
  "*/*",
  "application/json",
  "application/json, text/plain, */*",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
];

test("figures per stage and tenant, of what happened", async () => {
  await ended(server, { kind: "quick", payload: 1 });
  await ended(server, { kind: "flaky", payload: 1 });
  await deadLetter(server, {}, { tenant: "busy" });
  const { jobId } = await submitted(server, { kind: "quick", payload: 1, delayMs: 1_000_000 });
  await good(server, jobRoutes.cancelMany, { body: { ids: [jobId] } });
  const metrics = await good(server, systemRoutes.metrics);
  assert.partialDeepStrictEqual(metrics, {
    jobsSubmitted: 4,
    jobsCompleted: 1,
    jobsFailed: 2,
    jobsCancelled: 1,
    attemptsFailed: 3,
    dlq: 2,
    done: 1,
    failed: 2,
    pending: 0,
    perTenant: { busy: { submitted: 1, completed: 0, failed: 1, refused: 0 } },
  });
  const flaky = metrics.perStage["flaky/running"];
  assert.partialDeepStrictEqual(flaky, { retries: 1, failed: 1, successRate: 0, queueSize: 0 });
  assert.ok(flaky && flaky.runMs.p99 >= flaky.runMs.p50 && flaky.processors.idle > 0);
  assert.ok(metrics.database.databaseBytes > 0 && metrics.process.rssBytes > 0);
  assert.ok(metrics.perStage["piped/fetch"] && metrics.perStage["piped/form"]);
});

test("a scraper's Accept decides for the text of Prometheus, anybody else's for JSON", async () => {
  for (const accept of SCRAPERS) {
    const response = await send(server, "GET", "/metrics", { headers: { accept } });
    assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8", accept);
  }
  for (const accept of OTHERS) {
    const response = await send(server, "GET", "/metrics", { headers: { accept } });
    assert.equal(response.headers.get("content-type"), "application/json", accept);
  }
});

test("the text can be read line by line and says the same", async () => {
  const samples = await scraped(server);
  const metrics = await good(server, systemRoutes.metrics);
  assert.equal(samples.get("millrace_jobs_submitted_total"), metrics.jobsSubmitted);
  assert.equal(samples.get('millrace_tenant_jobs_total{tenant="busy",event="failed"}'), 1);
  assert.equal(samples.get('millrace_attempts_total{kind="flaky",stage="running",outcome="failed"}'), 2);
  assert.equal(samples.get('millrace_queue_size{kind="quick",stage="running"}'), 0);
  assert.ok((samples.get('millrace_run_seconds_bucket{kind="quick",stage="running",le="+Inf"}') ?? 0) >= 1);
  assert.ok((samples.get("millrace_wal_bytes") ?? -1) >= 0);
});

test("of 300 tenants a hundred have a name and the rest one together", async () => {
  const submit = (n: number) => submitted(server, { kind: "quick", payload: 1 }, { tenant: `tenant-${n}` });
  for (let n = 0; n < 300; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => submit(n + i)));
  const { perTenant } = await good(server, systemRoutes.metrics);
  assert.equal(Object.keys(perTenant).length, 101);
  const total = Object.values(perTenant).reduce((sum, { submitted }) => sum + submitted, 0);
  assert.equal(total, 304);
  const named = [...(await scraped(server)).keys()].filter((name) => /^millrace_tenant.*submitted/.test(name));
  assert.equal(named.length, 101);
});

const SAMPLE =
  /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*\})?) (-?[\d.]+(?:e[+-]?\d+)?|\+Inf|NaN)$/;

async function scraped(of: Server): Promise<Map<string, number>> {
  const text = await (await send(of, "GET", "/metrics", { headers: { accept: SCRAPERS[0] as string } })).text();
  assert.ok(text.endsWith("\n"));
  const typed = new Set<string>();
  const samples = new Map<string, number>();
  for (const line of text.trimEnd().split("\n")) {
    if (line === "" || line.startsWith("# HELP ")) continue;
    const type = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line);
    if (type) {
      assert.ok(!typed.has(type[1] as string), `${type[1]} twice`);
      typed.add(type[1] as string);
      continue;
    }
    const [, name, value] = SAMPLE.exec(line) ?? [];
    assert.ok(name !== undefined, `not a sample: ${line}`);
    assert.ok(!samples.has(name), `${name} twice`);
    const family = /^\w+/.exec(name)?.[0] ?? "";
    assert.ok(typed.has(family) || typed.has(family.replace(/_(bucket|sum|count)$/, "")), `${family} has no type`);
    samples.set(name, Number(value));
  }
  return samples;
}

test("what the figures were is remembered, and given on from where one has it", async () => {
  await ended(server, { kind: "quick", payload: 1 });
  const first = await good(server, systemRoutes.metricsHistory, { query: { minutes: 5 } });
  assert.equal(first.everyMs, 5_000);
  const [point] = first.points;
  assert.ok(point && "quick/running" in point.perStage, "there is one from the start");
  const after = first.points.at(-1)?.at ?? "";
  const next = await good(server, systemRoutes.metricsHistory, { query: { minutes: 5, after } });
  assert.ok(next.points.every(({ at }) => at > after));
  const wrong = await send(server, "GET", "/metrics/history?minutes=0", {});
  assert.equal(wrong.status, 422);
});
