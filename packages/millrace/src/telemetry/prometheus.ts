import { expositionOf, type Family, type Labels, type Sample } from "./exposition.ts";
import type { Histogram } from "./figures/histogram.ts";
import type { ProcessMetrics } from "./figures/metrics.ts";
import { type MetricsSources, processorsOf, queueSize } from "./figures/metrics-view.ts";

/** The figures in the text format of Prometheus (`text/plain; version=0.0.4; charset=utf-8`). */
export function prometheusText(metrics: ProcessMetrics, around: MetricsSources): string {
  const families: Family[] = [];
  const family = (type: Family["type"], name: string, help: string, samples: Sample[]) =>
    families.push({ type, name, help, samples });
  const counter = (name: string, help: string, samples: Sample[]) => family("counter", name, help, samples);
  const gauge = (name: string, help: string, samples: Sample[]) => family("gauge", name, help, samples);
  const one = (value: number): Sample[] => [{ value, labels: {} }];
  const stages = around.kinds.flatMap(({ kind, stages }) =>
    stages.map(({ stage, counts }) => ({ kind, stage, counts })),
  );
  const done = metrics.stages();

  gauge(
    "millrace_jobs",
    "Jobs in the store by standing.",
    stages.flatMap(({ kind, stage, counts }) =>
      Object.entries(counts).map(([standing, value]) => ({ value, labels: { kind, stage, standing } })),
    ),
  );
  gauge(
    "millrace_queue_size",
    "Due jobs that wait for a processor.",
    stages.map(({ kind, stage, counts }) => ({ value: queueSize(counts), labels: { kind, stage } })),
  );
  gauge(
    "millrace_processors",
    "Processors of this process by state.",
    stages.flatMap(({ kind, stage }) =>
      Object.entries(processorsOf(around.pools, kind, stage)).map(([state, value]) => ({
        value,
        labels: { kind, stage, state },
      })),
    ),
  );
  gauge(
    "millrace_unserved_stages",
    "Stages with waiting jobs that no living process serves.",
    one(around.unserved.length),
  );

  family(
    "histogram",
    "millrace_wait_seconds",
    "Time from when a job was due to when it was claimed.",
    done.flatMap(({ kind, stage, wait }) => bucketsOf({ kind, stage }, wait)),
  );
  family(
    "histogram",
    "millrace_run_seconds",
    "Duration of attempts.",
    done.flatMap(({ kind, stage, run }) => bucketsOf({ kind, stage }, run)),
  );
  counter(
    "millrace_attempts_total",
    "Ended attempts by outcome.",
    done.flatMap(({ kind, stage, attempts }) =>
      Object.entries(attempts).map(([outcome, value]) => ({ value, labels: { kind, stage, outcome } })),
    ),
  );
  counter(
    "millrace_retries_total",
    "Failed attempts that are retried.",
    done.map(({ kind, stage, retries }) => ({ value: retries, labels: { kind, stage } })),
  );
  counter(
    "millrace_dead_letters_total",
    "Dead letters.",
    done.map(({ kind, stage, deadLetters }) => ({ value: deadLetters, labels: { kind, stage } })),
  );

  counter("millrace_jobs_submitted_total", "Jobs accepted.", one(metrics.jobsSubmitted));
  counter("millrace_jobs_completed_total", "Jobs completed.", one(metrics.jobsCompleted));
  counter(
    "millrace_jobs_failed_total",
    "Jobs that failed, as dead letters or because of their input.",
    one(metrics.jobsFailed),
  );
  counter("millrace_jobs_cancelled_total", "Jobs cancelled.", one(metrics.jobsCancelled));
  counter("millrace_leases_expired_total", "Expired leases of dead processes.", one(metrics.leasesExpired));
  counter(
    "millrace_submissions_refused_total",
    "Refused submissions by code.",
    [...metrics.refusals].map(([code, value]) => ({ value, labels: { code } })),
  );
  counter(
    "millrace_tenant_jobs_total",
    "Jobs of the busiest tenants by outcome. All other tenants count as other.",
    [...metrics.tenants.series()].flatMap(([tenant, totals]) =>
      Object.entries(totals).map(([event, value]) => ({ value, labels: { tenant, event } })),
    ),
  );

  family(
    "histogram",
    "millrace_event_loop_delay_seconds",
    "Delay of timers of the event loop.",
    bucketsOf({}, metrics.loopDelay),
  );
  gauge("millrace_database_bytes", "Size of the database files.", one(around.size.databaseBytes));
  gauge("millrace_wal_bytes", "Size of the write-ahead logs.", one(around.size.walBytes));
  const { user, system } = process.cpuUsage();
  counter("process_cpu_seconds_total", "CPU time used.", one((user + system) / 1_000_000));
  gauge("process_resident_memory_bytes", "Resident memory.", one(process.memoryUsage.rss()));
  gauge("process_start_time_seconds", "Start time of the process.", one(Date.now() / 1_000 - process.uptime()));
  return expositionOf(families);
}

function bucketsOf(labels: Labels, histogram: Histogram): Sample[] {
  const { bounds, counts, count, sumSeconds } = histogram.cumulative();
  const upTo = (le: string, value: number): Sample => ({ series: "bucket", labels: { ...labels, le }, value });
  return [
    ...bounds.map((bound, i) => upTo(String(bound), counts[i] as number)),
    upTo("+Inf", count),
    { series: "sum", labels, value: sumSeconds },
    { series: "count", labels, value: count },
  ];
}
