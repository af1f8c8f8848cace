// Which part acts on which event. The live feed and hooks subscribe by themselves (events.listen, events.read).

import type { EngineEvent, SettledEvent } from "../events/event.ts";
import type { Events } from "../events/events.ts";
import { logSettled } from "../pool/log-attempt.ts";
import type { Pools } from "../pool/pools.ts";
import type { ProcessMetrics } from "../telemetry/figures/metrics.ts";
import type { Log } from "../telemetry/log/log.ts";
import { lastKnown } from "./wait/last-known.ts";
import type { Waiters } from "./wait/waiters.ts";

interface Listeners {
  metrics: ProcessMetrics;
  log: Log;
  waiters: Waiters;
  /** Missing where this process does no work. */
  pools: Pools | undefined;
}

export function wireEvents(events: Events, listeners: Listeners): void {
  const { metrics, log } = listeners;
  events.on((event) => {
    if (event.type === "settled") {
      metrics.settled(event);
      logSettled(log, event);
      afterSettled(event, listeners);
    } else if (event.type === "submitted") afterSubmitted(event, listeners);
    else if (event.type === "refused") metrics.refused(event.tenant, event.code);
  });
}

/** Wakes the pool of a stage that has a job now, and callers that wait for the job that ended. */
function afterSettled(event: SettledEvent, { pools, waiters }: Listeners): void {
  const { settled, job, kind } = event;
  if (settled.written !== "written") return waiters.settled(job.lease.jobId);
  const { standing, nextStage, successor, runAt } = settled;
  // The claim beside the settle may have looked before its commit.
  if (standing === "ready" || nextStage !== undefined || successor !== undefined) pools?.poke(kind);
  else if (standing === "scheduled" && runAt !== undefined) pools?.expect(runAt);
  if (nextStage !== undefined) return;
  if (settled.forgotten) waiters.forgotten(lastKnown(event));
  else waiters.settled(job.lease.jobId);
}

function afterSubmitted({ jobs }: Extract<EngineEvent, { type: "submitted" }>, { metrics, pools }: Listeners): void {
  const [first] = jobs;
  if (first) metrics.submitted(first.tenant, jobs.length);
  if (!pools) return;
  // Jobs submitted together mostly are of one kind, and a second poke in a turn of the loop costs nothing.
  let poked: string | undefined;
  for (const { kind } of jobs) {
    if (kind !== poked) pools.poke(kind);
    poked = kind;
  }
}
