// Events that the store or a schedule caused, not a processor or a caller of this process. The jobs are looked up first.

import type { Events } from "../events/events.ts";
import type { Job } from "../job/job.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store, StoreEvents } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";
import { aboutJob } from "./look/about-job.ts";

interface EventTools {
  store: Store;
  events: Events;
  log: Log;
  clock: Clock;
}

type ExpiredJobs = Parameters<StoreEvents["expired"]>[0];
type LostLeases = Parameters<StoreEvents["lost"]>[0];

/** The jobs are looked up one after another: a process that died may have held thousands. */
export async function reportExpired(jobs: ExpiredJobs, { store, events, log, clock }: EventTools): Promise<void> {
  for (const { jobId, standing } of jobs) {
    const job = await findIfOpen(store, jobId);
    log.warn("lease expired", { ...(job ? aboutJob(job) : { jobId }), standing });
    // The job may run again by now. The event tells of the state that it got when its lease ended.
    if (job) events.emit({ type: "revoked", job: { ...job, standing }, at: clock.now() });
  }
}

/**
 * Reports deadlines that a blocked main loop had missed and the store enforced. Other lost leases are reported by the
 * code that ended them.
 */
export async function reportTimedOut(
  leases: LostLeases,
  { store, events, clock }: Omit<EventTools, "log">,
): Promise<void> {
  if (!events.hasReader) return;
  for (const { jobId, reason } of leases) {
    if (reason !== "timed-out") continue;
    const job = await findIfOpen(store, jobId);
    if (job) events.emit({ type: "revoked", job, at: clock.now() });
  }
}

export async function reportFires(
  fires: readonly { jobId?: string }[],
  { store, events }: Pick<EventTools, "store" | "events">,
): Promise<void> {
  if (!events.hasReader) return;
  for (const { jobId } of fires) {
    const job = jobId === undefined ? undefined : await findIfOpen(store, jobId);
    if (job) events.emit({ type: "fired", job });
  }
}

/** The store may have been closed meanwhile, and a closed store throws at once. */
async function findIfOpen(store: Store, jobId: string): Promise<Job | undefined> {
  try {
    return (await store.find([jobId]))[0];
  } catch {
    return undefined;
  }
}
