// The proof at the end of every fault test. It reads what all processes wrote down and what the store holds, once each,
// and names everything that must never be. A submission whose answer nobody heard may be there or not: both are right.

import { scaled } from "../../support/slowness.ts";
import type { Event } from "./history.ts";
import type { StoredJob, StoreFacts } from "./store-facts.ts";

/** How much longer than its lease a dead process's job may lie before somebody has it again. */
export const STUCK_AFTER_LEASE_MS = scaled(5_000);

export interface Expectation {
  leaseMs: number;
  /** The stages of each kind whose results carry the chain of attempts that made them. */
  stages: Record<string, string[]>;
  /** Keys of jobs that are meant to end as dead letters. */
  deadLetters?: ReadonlySet<string>;
}

/** Every violation as a sentence; an empty list is the proof. */
export function check(events: Event[], facts: StoreFacts, expected: Expectation): string[] {
  return [
    ...facts.problems,
    ...lostOrUnexpected(events, facts, expected),
    ...completedTwice(events, facts),
    ...brokenChains(events, facts, expected),
    ...stuck(events, facts, expected),
    ...stepsRunAgain(events),
  ];
}

function lostOrUnexpected(events: Event[], facts: StoreFacts, { deadLetters }: Expectation): string[] {
  const problems: string[] = [];
  const called = new Set<string>();
  const answered = new Map<string, string>();
  for (const event of events) {
    if (event.type === "submit-called") called.add(event.key);
    if (event.type !== "submit-acknowledged") continue;
    const before = answered.get(event.key);
    if (before !== undefined && before !== event.jobId)
      problems.push(`${event.key} was answered as ${before} and as ${event.jobId}`);
    answered.set(event.key, event.jobId);
  }
  for (const [key, jobId] of answered) {
    const job = facts.jobs.get(jobId);
    if (!job) problems.push(`lost: ${jobId} (${key}) was acknowledged and is not in the store`);
    else if (job.key !== key) problems.push(`${jobId} was acknowledged for ${key} and holds ${job.key}`);
    else if (job.standing !== (deadLetters?.has(key) ? "failed" : "completed")) {
      problems.push(`unfinished: ${jobId} (${key}) was acknowledged and is ${job.standing} ${job.failure ?? ""}`);
    }
  }
  const stored = new Map<string, string>();
  for (const job of facts.jobs.values()) {
    if (!called.has(job.key)) problems.push(`unexpected: ${job.id} (${job.key}) was never submitted`);
    const twin = stored.get(job.key);
    if (twin !== undefined) problems.push(`doubled: ${job.key} is in the store as ${twin} and as ${job.id}`);
    stored.set(job.key, job.id);
  }
  return problems;
}

/** Two accepted outcomes of one lease, or any claim after the job's last word. */
function completedTwice(events: Event[], facts: StoreFacts): string[] {
  const problems: string[] = [];
  const accepted = new Map<string, string>();
  const finishedAt = new Map<string, number>();
  for (const event of events) {
    if (event.type !== "settled") continue;
    const lease = `${event.jobId}.${event.token}`;
    if (accepted.has(lease))
      problems.push(`settled twice: ${lease} was accepted from ${accepted.get(lease)} and from ${event.by}`);
    accepted.set(lease, event.by);
    if (event.standing !== "completed") continue;
    const before = finishedAt.get(event.jobId);
    if (before !== undefined)
      problems.push(`second completion: ${event.jobId} was completed with token ${before} and with ${event.token}`);
    finishedAt.set(event.jobId, event.token);
    const standing = facts.jobs.get(event.jobId)?.standing;
    if (standing !== "completed")
      problems.push(`completion undone: ${event.jobId} was accepted as completed and is ${standing}`);
  }
  for (const event of events) {
    if (event.type !== "claimed") continue;
    const last = finishedAt.get(event.jobId);
    if (last !== undefined && event.token > last)
      problems.push(`claimed after its completion: ${event.jobId} with token ${event.token}`);
  }
  return problems;
}

/** A result names the attempt of each stage that made it: no gap, no double, the order right, and none overwritten. */
function brokenChains(events: Event[], facts: StoreFacts, { stages }: Expectation): string[] {
  const problems: string[] = [];
  for (const job of facts.jobs.values()) {
    const wanted = stages[job.kind];
    if (!wanted || job.standing !== "completed") continue;
    const links = job.chain.map((link) => link.stage).join(" ");
    if (links !== wanted.join(" "))
      problems.push(`stages of ${job.id} went ${links || "nowhere"} instead of ${wanted.join(" ")}`);
    const rises = job.chain.every((link, i) => i === 0 || link.token > (job.chain[i - 1]?.token ?? 0));
    if (!rises) problems.push(`tokens of ${job.id} do not rise: ${JSON.stringify(job.chain)}`);
  }
  const stageOf = new Map<string, string>();
  for (const event of events) if (event.type === "claimed") stageOf.set(`${event.jobId}.${event.token}`, event.stage);
  for (const event of events) {
    if (event.type !== "settled" || event.outcome !== "completed") continue;
    const job = facts.jobs.get(event.jobId);
    if (!job || !stages[job.kind] || job.standing !== "completed") continue;
    const stage = stageOf.get(`${event.jobId}.${event.token}`);
    if (!inChain(job, event.token))
      problems.push(
        `overwritten: ${event.jobId}'s ${stage} with token ${event.token} was accepted and is not in its result`,
      );
  }
  return problems;
}

function inChain(job: StoredJob, token: number): boolean {
  return job.chain.some((link) => link.token === token);
}

/** Whatever a killed process held is taken back, or was finished, within the lease and 5 s of somebody being there. */
function stuck(events: Event[], facts: StoreFacts, { leaseMs }: Expectation): string[] {
  const problems: string[] = [];
  const present = presences(events);
  const held = new Map<string, Map<string, number>>();
  for (const event of events) {
    if (event.type === "claimed") {
      const leases = held.get(event.by) ?? new Map<string, number>();
      held.set(event.by, leases.set(event.jobId, event.token));
    } else if (event.type === "settled" || event.type === "lease-lost") {
      if (held.get(event.by)?.get(event.jobId) === event.token) held.get(event.by)?.delete(event.jobId);
    } else if (event.type === "killed") {
      for (const jobId of held.get(event.who)?.keys() ?? [])
        problems.push(...layTooLong(jobId, event.at, facts, present, leaseMs));
      held.delete(event.who);
    }
  }
  return problems;
}

/** When one process was there to take work back. An heir may be killed too, and starts slowly on a busy machine. */
interface Presence {
  from: number;
  to: number;
}

function presences(events: Event[]): Presence[] {
  const present = new Map<string, Presence>();
  for (const event of events) {
    if (event.type === "ready") present.set(event.who, { from: event.at, to: Number.POSITIVE_INFINITY });
    if (event.type !== "killed" && event.type !== "halted") continue;
    const presence = present.get(event.who);
    if (presence) presence.to = Math.min(presence.to, event.at);
  }
  return [...present.values()];
}

function layTooLong(
  jobId: string,
  killedAt: number,
  { jobs, takenBack }: StoreFacts,
  present: Presence[],
  leaseMs: number,
): string[] {
  const at = takenBack.get(jobId)?.find((moment) => moment >= killedAt);
  if (at === undefined) {
    // Settled in the last moment, or never taken back.
    return jobs.get(jobId)?.standing === "running" ? [`stuck: ${jobId} is still held by a killed process`] : [];
  }
  const watchedMs = Math.max(0, ...present.map(({ from, to }) => Math.min(at, to) - Math.max(killedAt, from)));
  return watchedMs > leaseMs + STUCK_AFTER_LEASE_MS
    ? [`stuck: ${jobId} lay ${watchedMs} ms before a process that could have had it, after its own was killed`]
    : [];
}

/** Once a step's value was acknowledged, no later attempt runs it. */
function stepsRunAgain(events: Event[]): string[] {
  const saved = new Map<string, number>();
  for (const event of events) {
    if (event.type !== "step-saved") continue;
    // The first counts: an attempt that runs the step again also saves it again.
    const name = `${event.jobId} ${event.step}`;
    saved.set(name, Math.min(event.token, saved.get(name) ?? event.token));
  }
  const problems: string[] = [];
  for (const event of events) {
    if (event.type !== "step-ran") continue;
    const token = saved.get(`${event.jobId} ${event.step}`);
    if (token !== undefined && event.token > token) {
      problems.push(
        `step run again: ${event.step} of ${event.jobId} was saved with token ${token} and ran with ${event.token}`,
      );
    }
  }
  return problems;
}
