import { STANDINGS, type Standing, stateOf } from "../../job/job.ts";
import { AppError } from "../../lib/app-error.ts";
import { COMPLETED } from "../codes.ts";
import type { StoreLimits } from "../store.ts";
import type { SignalAnswer } from "../verbs/waits.ts";

/** A sender with more queued signals than this has lost touch with its job. */
export const MOST_QUEUED_SIGNALS = 1_000;

/** Why a job takes no signal. Undefined: it takes them. */
export function signalRefusal(job: { jobId: string; standing: number; queued: number }): SignalAnswer | undefined {
  if (job.standing >= COMPLETED) {
    return { type: "finished", jobId: job.jobId, state: stateOf(STANDINGS[job.standing] as Standing) };
  }
  if (job.queued < MOST_QUEUED_SIGNALS) return undefined;
  const message = `The job has ${MOST_QUEUED_SIGNALS} signals that no wait has taken. It takes no more until it has read some.`;
  return { type: "refused", code: "too-many-signals", message };
}

/** A signal of a caller's transaction that has committed. */
export interface CommittedSignal {
  id: number;
  name: string;
  value: string;
  at: number;
  by: string | null;
  key: string | null;
}

/** How the job gets the signal. With a reason it is set aside: its sender has committed, so it cannot be refused. */
export type DeliveredSignal = CommittedSignal & { reason?: string };

/** The committed signals that a job gets. A signal whose key the job had before is dropped. */
export function deliveredSignals(
  job: { standing: number; queued: number; usedKeys: Iterable<string> },
  signals: readonly CommittedSignal[],
): DeliveredSignal[] {
  const used = new Set(job.usedKeys);
  const delivered: DeliveredSignal[] = [];
  let { queued } = job;
  for (const signal of signals.toSorted((a, b) => a.id - b.id)) {
    if (signal.key !== null && used.has(signal.key)) continue;
    if (signal.key !== null) used.add(signal.key);
    const refusal = signalRefusal({ jobId: "", standing: job.standing, queued });
    if (!refusal) queued++;
    delivered.push(refusal ? { ...signal, reason: reasonOf(refusal) } : signal);
  }
  return delivered;
}

function reasonOf(refusal: SignalAnswer): string {
  if (refusal.type === "finished") return `The job was ${refusal.state} when the transaction of the signal committed.`;
  return refusal.type === "refused" ? refusal.message : "";
}

/** A tenant with this many kept events publishes faster than they expire. */
export function refuseEvents({ maxEventsPerTenant }: Pick<StoreLimits, "maxEventsPerTenant">, kept: number): void {
  if (maxEventsPerTenant === 0 || kept < maxEventsPerTenant) return;
  throw new AppError("too-many-events", `The tenant has ${kept} kept events; the limit is ${maxEventsPerTenant}.`, {
    hint: "Publish with a shorter keepMs, or raise maxEventsPerTenant of Millrace.open().",
  });
}
