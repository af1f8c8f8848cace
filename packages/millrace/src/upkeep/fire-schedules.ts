import { FINISHED } from "../job/job.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import type { Schedule } from "../store/verbs/schedules.ts";
import type { NewJob, Submission } from "../store/verbs/submission.ts";
import { nextFire } from "../submit/schedule.ts";
import type { Log } from "../telemetry/log/log.ts";

/** A tick later than this counts as missed: nothing was there to fire it. */
const MISSED_MS = 60_000;

/** A job that a schedule submitted. */
export interface Fire {
  tenant: string;
  /** Missing: the store did not say. */
  jobId?: string;
}

/**
 * Submits the jobs that are due and returns them. The store moves a schedule on only from the tick that we saw, so two
 * leaders fire it once.
 */
export async function fireSchedules(store: Store, clock: Clock, log: Log): Promise<Fire[]> {
  const fired: Fire[] = [];
  const now = clock.now();
  for (const schedule of await store.schedules({ dueAt: now })) {
    if (schedule.paused) continue;
    const nextAt = nextFire(schedule.cron, schedule.timeZone, now);
    const passed = await passesBy(store, schedule, now);
    const { tenant, name } = schedule;
    const submission = passed ? undefined : submissionOf(schedule);
    const answer = await store.fire({ tenant, name }, schedule.nextAt, nextAt, submission);
    if (!answer.fired) continue;
    const about = { schedule: name, tenantId: tenant };
    if (passed) log.info("schedule skipped", { ...about, reason: passed });
    else if (answer.refused) log.warn("schedule refused", { ...about, error: answer.refused });
    else {
      fired.push({ tenant, ...(answer.jobId !== undefined && { jobId: answer.jobId }) });
      log.info("schedule fired", { ...about, jobId: answer.jobId });
    }
  }
  return fired;
}

async function passesBy(store: Store, schedule: Schedule, now: number): Promise<string | undefined> {
  if (schedule.missed === "skip" && now - schedule.nextAt > MISSED_MS) return "missed";
  if (schedule.overlap === "allow" || schedule.lastJobId === undefined) return undefined;
  const [last] = await store.find([schedule.lastJobId]);
  return last && !FINISHED.has(last.standing) ? `${last.id} is not finished` : undefined;
}

function submissionOf(schedule: Schedule): Submission {
  const { tenant, kind, payload, uniqueKey, concurrencyKey, priority, tags, keyRule } = schedule;
  const job: NewJob = {
    kind,
    payload,
    ...(uniqueKey !== undefined && { uniqueKey }),
    ...(concurrencyKey !== undefined && { concurrencyKey }),
    ...keyRule,
    ...(priority !== undefined && { priority }),
    ...(tags && { tags }),
  };
  return { tenant, jobs: [job] };
}
