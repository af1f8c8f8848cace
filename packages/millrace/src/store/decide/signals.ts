import { STANDINGS, type Standing, stateOf } from "../../job/job.ts";
import { COMPLETED } from "../codes.ts";
import type { SignalAnswer } from "../verbs/waits.ts";

/** Beyond it a sender has lost touch with its job. */
export const MOST_QUEUED_SIGNALS = 1_000;

/** Why a job takes no signal; undefined where it does. */
export function signalRefusal(job: { jobId: string; standing: number; queued: number }): SignalAnswer | undefined {
  if (job.standing >= COMPLETED) {
    return { type: "finished", jobId: job.jobId, state: stateOf(STANDINGS[job.standing] as Standing) };
  }
  if (job.queued < MOST_QUEUED_SIGNALS) return undefined;
  const message = `The job has ${MOST_QUEUED_SIGNALS} signals that no wait has taken. It takes no more until it has read some.`;
  return { type: "refused", code: "too-many-signals", message };
}
