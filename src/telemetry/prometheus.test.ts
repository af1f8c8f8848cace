import assert from "node:assert/strict";
import { test } from "node:test";
import { STANDINGS } from "../job/job.ts";
import { ManualClock } from "../lib/clock.ts";
import type { KindCounts } from "../store/store.ts";
import { Metrics } from "./metrics.ts";
import { prometheusText } from "./prometheus.ts";

test("every line is a sample of a family with help and type, and no series comes twice", async () => {
  const { text } = await scrape();
  const families = new Map<string, string>();
  const seen = new Set<string>();
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, what, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (what === "TYPE") families.set(name as string, rest as string);
    if (what !== undefined) continue;
    const [, sample = "", labels = "", value] = /^([a-z_]+)(\{[^}]*\})? (\S+)$/.exec(line) ?? [];
    assert.ok(families.has(sample.replace(/_(bucket|sum|count)$/, "")) || families.has(sample), line);
    assert.ok(Number.isFinite(Number(value)), line);
    assert.ok(!seen.has(sample + labels), line);
    seen.add(sample + labels);
  }
  assert.equal(families.get("millrace_wait_seconds"), "histogram");
  assert.equal(families.get("millrace_attempts_total"), "counter");
});

test("the figures an operator asks for are there, with units in the names and labels", async () => {
  const { value } = await scrape();
  const at = '{kind="mail",stage="running"';
  assert.equal(value(`millrace_queue_size${at}}`), 7);
  assert.equal(value(`millrace_jobs${at},standing="failed"}`), 2);
  assert.equal(value(`millrace_processors${at},state="busy"}`), 1);
  assert.equal(value(`millrace_attempts_total${at},outcome="completed"}`), 1);
  assert.equal(value(`millrace_attempts_total${at},outcome="failed"}`), 2);
  assert.equal(value(`millrace_retries_total${at}}`), 1);
  assert.equal(value(`millrace_dead_letters_total${at}}`), 1);
  assert.equal(value(`millrace_run_seconds_count${at}}`), 3);
  assert.equal(value(`millrace_run_seconds_sum${at}}`), 0.6);
  assert.equal(value(`millrace_run_seconds_bucket${at},le="+Inf"}`), 3);
  assert.equal(value('millrace_submissions_refused_total{code="backpressure"}'), 1);
  assert.equal(value('millrace_tenant_jobs_total{tenant="acme",event="submitted"}'), 3);
  assert.equal(value("millrace_jobs_submitted_total"), 3);
  assert.equal(value("millrace_database_bytes"), 4_096);
  assert.equal(value("millrace_wal_bytes"), 100);
  assert.equal(value("millrace_unserved_stages"), 1);
  assert.ok((value("process_resident_memory_bytes") ?? 0) > 1_000_000);
});

test("names that need it are escaped", async () => {
  const metrics = new Metrics(new ManualClock());
  metrics.submitted('a"b\\c\nd', 1);
  const text = await prometheusText(metrics, AROUND);
  assert.ok(text.includes('tenant="a\\"b\\\\c\\nd"'), text);
});

async function scrape() {
  const metrics = new Metrics(new ManualClock());
  metrics.submitted("acme", 3);
  metrics.refused("acme", "backpressure");
  const end = (type: string, standing: "completed" | "scheduled" | "failed") =>
    metrics.settled({
      kind: "mail",
      stage: "running",
      job: { tenant: "acme" },
      outcome: { type },
      settled: { written: "written", standing },
      waitMs: 10,
      runMs: 200,
    });
  end("completed", "completed");
  end("failed", "scheduled");
  end("failed", "failed");
  const text = await prometheusText(metrics, AROUND);
  const lines = new Map(text.split("\n").map((line) => [line.slice(0, line.lastIndexOf(" ")), line]));
  const value = (series: string) => {
    const line = lines.get(series);
    return line === undefined ? undefined : Number(line.slice(series.length));
  };
  return { text, value };
}

const NO_JOBS = Object.fromEntries(STANDINGS.map((standing) => [standing, 0])) as Record<
  (typeof STANDINGS)[number],
  number
>;
const KINDS: KindCounts[] = [
  {
    kind: "mail",
    paused: false,
    stages: [{ stage: "running", position: 0, counts: { ...NO_JOBS, ready: 5, suspect: 2, failed: 2 } }],
  },
];
const AROUND = {
  kinds: KINDS,
  pools: [{ kind: "mail", stage: "running", processors: [{ state: "busy" as const }, { state: "idle" as const }] }],
  size: { databaseBytes: 4_096, walBytes: 100 },
  unserved: ["mail/running"],
};
