// What a process did in one minute, as it is stored: short, since eight days of minutes are kept. Differences are stored and not
// totals, so the minutes of all processes add up, whichever of them restarted.

import type { ProcessMetrics } from "./metrics.ts";
import type { StageFigures } from "./stage-figures.ts";
import type { TenantTotals } from "./tenant-figures.ts";

/** Submitted, completed, failed, cancelled, failed attempts, refused. */
type JobCounts = [number, number, number, number, number, number];
/** Completed, failed, retries; wait p50 and p95, run p50 and p95 in milliseconds. */
type StageCounts = [number, number, number, number, number, number, number];
/** Submitted, completed, failed, refused. */
type TenantCounts = [number, number, number, number];
/** Due jobs, idle, busy and broken processors. */
type StageGauges = [number, number, number, number];

/** One minute of one process. */
export interface MinuteFigures {
  readonly jobs: JobCounts;
  /** Stages in which attempts ended, by `kind/stage`. */
  readonly stages: Readonly<Record<string, StageCounts>>;
  readonly tenants: Readonly<Record<string, TenantCounts>>;
}

/** How many jobs there were at the end of a minute, in the whole store. One process takes it. */
export interface MinuteGauges {
  /** Pending, running, dead letters. */
  readonly jobs: [number, number, number];
  readonly stages: Readonly<Record<string, StageGauges>>;
}

/** The busiest tenants keep their names; the rest is counted together. */
export const MOST_TENANTS = 50;
const OTHER = "other";

/** Counts since the start of the process. */
export interface CountsSoFar {
  readonly jobs: JobCounts;
  readonly stages: ReadonlyMap<string, StageCounts>;
  readonly tenants: ReadonlyMap<string, TenantCounts>;
}

export function countsSoFar(metrics: ProcessMetrics): CountsSoFar {
  const { jobsSubmitted, jobsCompleted, jobsFailed, jobsCancelled, attemptsFailed, submissionsRefused } = metrics;
  return {
    jobs: [jobsSubmitted, jobsCompleted, jobsFailed, jobsCancelled, attemptsFailed, submissionsRefused],
    stages: new Map(metrics.stages().map((figures) => [`${figures.kind}/${figures.stage}`, stageCounts(figures)])),
    tenants: new Map([...metrics.tenants.series()].map(([tenant, totals]) => [tenant, tenantCounts(totals)])),
  };
}

function stageCounts({ completed, deadLetters, rejected, retries, wait, run }: StageFigures): StageCounts {
  const [waited, ran] = [wait.percentiles(), run.percentiles()];
  return [completed, deadLetters + rejected, retries, waited.p50, waited.p95, ran.p50, ran.p95];
}

function tenantCounts({ submitted, completed, failed, refused }: TenantTotals): TenantCounts {
  return [submitted, completed, failed, refused];
}

/** What happened between two counts. Undefined: nothing. */
export function minuteBetween(before: CountsSoFar | undefined, now: CountsSoFar): MinuteFigures | undefined {
  const jobs = grown(before?.jobs, now.jobs);
  const stages: Record<string, StageCounts> = {};
  for (const [stage, [completed, failed, retries, ...times]] of now.stages) {
    const counts = grown(before?.stages.get(stage)?.slice(0, 3), [completed, failed, retries]);
    // Percentiles cover some minutes. Where nothing ended in this one they say nothing of it.
    if (counts.some((count) => count > 0)) stages[stage] = [...counts, ...times] as StageCounts;
  }
  const tenants = [...now.tenants]
    .map(([tenant, counts]) => [tenant, grown(before?.tenants.get(tenant), counts) as TenantCounts] as const)
    .filter(([, counts]) => counts.some((count) => count > 0));
  if (jobs.every((count) => count === 0) && Object.keys(stages).length === 0 && tenants.length === 0) return undefined;
  return { jobs: jobs as JobCounts, stages, tenants: busiest(tenants) };
}

/** Fewer than before: a tenant lost its name in between, and counts from zero. */
function grown(before: readonly number[] | undefined, now: readonly number[]): number[] {
  return now.map((count, i) => {
    const last = before?.[i] ?? 0;
    return count < last ? count : count - last;
  });
}

function busiest(tenants: (readonly [string, TenantCounts])[]): Record<string, TenantCounts> {
  const sorted = tenants.toSorted(([, a], [, b]) => b[0] + b[1] - a[0] - a[1]);
  const named = sorted.filter(([tenant]) => tenant !== OTHER).slice(0, MOST_TENANTS);
  const rest = sorted.filter((each) => !named.includes(each)).map(([, counts]) => counts);
  const kept = Object.fromEntries(named);
  return rest.length === 0 ? kept : { ...kept, [OTHER]: sumOf(rest) };
}

function sumOf(all: readonly TenantCounts[]): TenantCounts {
  return all.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]);
}
