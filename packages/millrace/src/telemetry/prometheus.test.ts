import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExposition } from "../../../../test/support/exposition.ts";
import { STANDINGS } from "../job/job.ts";
import { ManualClock } from "../lib/clock.ts";
import type { KindCounts } from "../store/verbs/processes.ts";
import { expositionOf } from "./exposition.ts";
import { ProcessMetrics } from "./figures/metrics.ts";
import { noneWaiting } from "./figures/waiting.ts";
import { prometheusText } from "./prometheus.ts";

test("a strict reader accepts the text: types, buckets, no series twice", () => {
  const families = parseExposition(scrape().text);
  assert.deepEqual(families.get("millrace_queue_size"), {
    help: "Due jobs that wait for a processor.",
    type: "gauge",
    samples: [{ name: "millrace_queue_size", labels: { kind: "mail", stage: "running" }, value: 7 }],
  });
  assert.equal(families.get("millrace_wait_seconds")?.type, "histogram");
  assert.equal(families.get("millrace_attempts_total")?.type, "counter");
  assert.equal(families.get("millrace_run_seconds")?.samples.at(-1)?.value, 3);
});

test("names of kinds and tenants survive whatever they are made of", () => {
  for (const name of ['a"b\\c\nd', "\\n", "\\", '"', "é 𝄞 {}=,", '\\\n"']) {
    const metrics = new ProcessMetrics(new ManualClock());
    metrics.submitted(name, 1);
    const kinds = KINDS.map((each) => ({ ...each, kind: name }));
    const families = parseExposition(prometheusText(metrics, { ...AROUND, kinds }));
    assert.equal(families.get("millrace_queue_size")?.samples[0]?.labels["kind"], name);
    assert.equal(families.get("millrace_tenant_jobs_total")?.samples[0]?.labels["tenant"], name);
  }
});

test("numbers that are not finite have their own words, and help texts are escaped", () => {
  const samples = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21].map((value, i) => ({
    value,
    labels: { i: String(i) },
  }));
  const text = expositionOf([{ type: "gauge", name: "g", help: "a\nb\\c", samples }]);
  assert.equal(
    text,
    '# HELP g a\\nb\\\\c\n# TYPE g gauge\ng{i="0"} NaN\ng{i="1"} +Inf\ng{i="2"} -Inf\ng{i="3"} 1e+21\n',
  );
  parseExposition(text);
});

test("the strict reader refuses what Prometheus would", () => {
  const head = "# HELP a_total A.\n# TYPE a_total counter\n";
  const histogram = "# HELP h H.\n# TYPE h histogram\n";
  for (const wrong of [
    `${head}a_total 1`,
    `${head}a_total 1\na_total 2\n`,
    `${head}b_total 1\n`,
    `${head}a_total{x="\\q"} 1\n`,
    `${head}a_total{x="a"b"} 1\n`,
    `${head}a_total{x="1",x="2"} 1\n`,
    `${head}a_total -1\n`,
    `${head}${head}`,
    `${histogram}h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n`,
    `${histogram}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`,
    `${histogram}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`,
  ]) {
    assert.throws(() => parseExposition(wrong), Error, wrong);
  }
});

test("the figures an operator asks for are there, with units in the names and labels", () => {
  const { value } = scrape();
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

function scrape() {
  const metrics = new ProcessMetrics(new ManualClock());
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
  const text = prometheusText(metrics, AROUND);
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
  waiting: noneWaiting(),
};
