// What the store or a schedule did to jobs while no processor or caller of this process was at it: looked up, and told.

import type { Job } from "../job/job.ts";
import { newsOfRevocation, newsOfSubmission } from "../job/report/job-news.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store, StoreEvents } from "../store/store.ts";
import type { Changes } from "../submit/changes.ts";
import type { Log } from "../telemetry/log/log.ts";
import { aboutJob } from "./look/about-job.ts";

interface Tools {
  store: Store;
  changes: Changes;
  log: Log;
  clock: Clock;
}

type Expired = Parameters<StoreEvents["expired"]>[0];
type Lost = Parameters<StoreEvents["lost"]>[0];

/** Looked up one after another: a process that died may have held thousands. */
export async function reportExpired(jobs: Expired, { store, changes, log, clock }: Tools): Promise<void> {
  for (const { jobId, standing } of jobs) {
    const job = await findIfOpen(store, jobId);
    log.warn("lease expired", { ...(job ? aboutJob(job) : { jobId }), standing });
    // By now it may run again: what counts is how it stood when its lease ended.
    if (job) changes.report(() => newsOfRevocation({ ...job, standing }, clock.now()));
  }
}

/** The store kept a deadline that a blocked main loop had missed. Whoever ended another lease tells of it. */
export async function reportTimedOut(leases: Lost, { store, changes, clock }: Omit<Tools, "log">): Promise<void> {
  if (!changes.isRead) return;
  for (const { jobId, reason } of leases) {
    if (reason !== "timed-out") continue;
    const job = await findIfOpen(store, jobId);
    if (job) changes.report(() => newsOfRevocation(job, clock.now()));
  }
}

export async function reportFires(
  fires: readonly { jobId?: string }[],
  { store, changes }: Pick<Tools, "store" | "changes">,
): Promise<void> {
  if (!changes.isRead) return;
  for (const { jobId } of fires) {
    const job = jobId === undefined ? undefined : await findIfOpen(store, jobId);
    // It may run, or have ended: that is told on its own.
    if (job) changes.report(() => newsOfSubmission({ ...job, standing: "ready" }));
  }
}

/** The store may be closed meanwhile, and a closed one throws at once. */
async function findIfOpen(store: Store, jobId: string): Promise<Job | undefined> {
  try {
    return await store.find(jobId);
  } catch {
    return undefined;
  }
}
