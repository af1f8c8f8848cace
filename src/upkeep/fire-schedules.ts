import { FINISHED } from "../job/job.ts";
import type { Clock } from "../lib/clock.ts";
import type { Schedule, Store, Submission } from "../store/store.ts";
import { nextFire } from "../submit/schedule.ts";
import type { Log } from "../telemetry/log.ts";

/** A tick later than this counts as missed: nothing was there to fire it. */
const MISSED_MS = 60_000;

/** Submits what is due. The store moves a schedule on only from the tick we saw, so two leaders fire it once. */
export async function fireSchedules(store: Store, clock: Clock, log: Log): Promise<number> {
  let fired = 0;
  const now = clock.now();
  for (const schedule of await store.schedules()) {
    if (schedule.paused || schedule.nextAt > now) continue;
    const nextAt = nextFire(schedule.cron, schedule.timeZone, now);
    const passed = await passesBy(store, schedule, now);
    const answer = await store.fire(
      schedule.name,
      schedule.nextAt,
      nextAt,
      passed ? undefined : submissionOf(schedule),
    );
    if (!answer.fired) continue;
    if (passed) log.info("schedule passed by", { schedule: schedule.name, reason: passed });
    else if (answer.refused) log.warn("schedule refused", { schedule: schedule.name, error: answer.refused });
    else {
      fired++;
      log.info("schedule fired", { schedule: schedule.name, jobId: answer.jobId });
    }
  }
  return fired;
}

async function passesBy(store: Store, schedule: Schedule, now: number): Promise<string | undefined> {
  if (schedule.missed === "skip" && now - schedule.nextAt > MISSED_MS) return "missed";
  if (schedule.overlap === "allow" || schedule.lastJobId === undefined) return undefined;
  const last = await store.find(schedule.lastJobId);
  return last && !FINISHED.has(last.standing) ? `${last.id} is not finished` : undefined;
}

function submissionOf(schedule: Schedule): Submission {
  const { tenant, kind, payload, uniqueKey, priority, tags } = schedule;
  const job = {
    kind,
    payload,
    ...(uniqueKey !== undefined && { uniqueKey }),
    ...(priority !== undefined && { priority }),
    ...(tags && { tags }),
  };
  return { tenant, jobs: [job] };
}
