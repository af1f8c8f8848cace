import assert from "node:assert/strict";
import type { Standing } from "../../../job/job.ts";
import type { ConcurrencyPolicy } from "../../../job/kind/plan.ts";
import type { ClaimedJob } from "../../../job/lease.ts";
import { type JobSpec, planOf, REPORT, type Rig, type RigOptions } from "../rig.ts";

export function keyedMail(concurrency: ConcurrencyPolicy = { perKey: 1 }) {
  return planOf("mail", ["running"], { concurrency: { keyed: true, ...concurrency } });
}

export function keyed(concurrency?: ConcurrencyPolicy): RigOptions {
  return { plans: [keyedMail(concurrency), REPORT] };
}

export const ORDERED = keyed({ ordered: true });

/** Submits jobs with these keys, in this order. */
export async function submitKeyed(rig: Rig, keys: readonly string[], more: JobSpec = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const key of keys) ids.push(await rig.submit({ concurrencyKey: key, payload: JSON.stringify(key), ...more }));
  return ids;
}

/** The payloads of the jobs, which are their keys. */
export function payloads(jobs: readonly ClaimedJob[]): string[] {
  return jobs.map(({ payload }) => JSON.parse(payload) as string);
}

export async function claimKeys(rig: Rig, count = 10): Promise<string[]> {
  return payloads(await rig.claim(count));
}

/** What the job waits for, in words; undefined: nothing. */
export async function waitWords(rig: Rig, jobId: string): Promise<string | undefined> {
  const [wait] = (await rig.find(jobId)).waitsFor ?? [];
  return wait && `${wait.type} ${wait.name ?? ""}`;
}

export async function assertStanding(rig: Rig, jobId: string, standing: Standing): Promise<void> {
  assert.equal(await rig.standing(jobId), standing);
}
