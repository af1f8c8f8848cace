import assert from "node:assert/strict";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { NewWait, StoredWait } from "../../../job/wait.ts";
import type { Store } from "../../store.ts";
import type { JobSpec, Rig } from "../rig.ts";

export const SECOND_MS = 1_000;
export const DAY_MS = 24 * 3_600_000;

export function sleepFor(timeoutMs: number, name = "nap"): NewWait {
  return { type: "sleep", name, timeoutMs };
}

export function signalNamed(name: string, timeoutMs?: number): NewWait {
  return { type: "signal", name, ...(timeoutMs !== undefined && { timeoutMs }) };
}

export function eventOn(topic: string, match: Record<string, string | number | boolean> = {}, since?: number): NewWait {
  return { type: "event", name: topic, event: { topic, match, ...(since !== undefined && { since }) } };
}

/** A job that waits: submitted, claimed and suspended. */
export async function waiting(rig: Rig, waits: NewWait[], job: JobSpec = {}): Promise<string> {
  const claimed = await rig.running(job);
  const settled = await rig.settle(claimed, { type: "waiting", waits });
  assert.equal(settled.written, "written");
  return claimed.lease.jobId;
}

/** Claims the job that was woken, and gives it with its waits as `type name state value`. */
export async function resumed(rig: Rig, jobId: string): Promise<{ job: ClaimedJob; waits: string[] }> {
  const job = await rig.claimOne();
  assert.equal(job.lease.jobId, jobId);
  return { job, waits: (await stored(rig, job)).map(wordsOf) };
}

export async function stored(rig: Rig, { lease }: ClaimedJob, by: Store = rig.store): Promise<StoredWait[]> {
  const waits = await by.resume(lease);
  assert.ok(waits !== "lease-lost");
  return waits;
}

export function wordsOf({ type, name, state, value }: StoredWait): string {
  return [type, name, state, ...(value === undefined ? [] : [value])].join(" ");
}

export async function send(rig: Rig, jobId: string, name: string, value: unknown = null): Promise<string> {
  const answer = await rig.store.signal({ target: { jobId }, name, value: JSON.stringify(value) });
  return answer.type;
}
