// Cancel, deadline and expiry end a lease from outside: in one commit the state changes, the token is outdated and the
// limit slot is freed, once. There is no "cancel requested" in between.

import { deathOf } from "../../../job/crash.ts";
import { FINISHED } from "../../../job/job.ts";
import type { LossReason } from "../../../job/lease.ts";
import { afterAttempt, afterDeath } from "../../../job/lifecycle.ts";
import { CANCELLED, COMPLETED, FAILED, RUNNING } from "../../codes.ts";
import { afterOverdue, OVERDUE_GRACE_MS } from "../../decide/attempt/expiry.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import { failAtDeadline, lossReasonOf } from "../../decide/deadline.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import { afterDeadline, type JobRow, standpoint } from "../../rows/job-row.ts";
import type { CancelAnswer } from "../../verbs/jobs.ts";
import type { BeatAnswer } from "../../verbs/processes.ts";
import { CANCEL_ASKED } from "../../waits/codes.ts";
import { hasLeftWork } from "../children/queue.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import type { DeadProcess } from "../register/instances.ts";
import { apply } from "../settle/apply.ts";
import { pastOf } from "../settle/deaths.ts";
import { askCancel } from "../waits/undo.ts";

const HELD_BY = `SELECT * FROM job WHERE standing = ${RUNNING} AND holder = ?`;
const TOKENS_HELD_BY = `SELECT id, token, flags FROM job WHERE standing = ${RUNNING} AND holder = ?`;
const UNSTARTED = `SELECT * FROM job WHERE expires_at IS NOT NULL AND expires_at <= ? AND standing < ${RUNNING} LIMIT 500`;
const HAS_UNSTARTED = `SELECT 1 FROM job WHERE expires_at IS NOT NULL AND expires_at <= ? AND standing < ${RUNNING} LIMIT 1`;

const PAST_DEADLINE = `FROM job
  WHERE deadline_at IS NOT NULL AND deadline_at <= ? AND standing < ${COMPLETED}
    AND NOT EXISTS (SELECT 1 FROM workflow WHERE workflow.job = job.id AND ending IS NOT NULL)`;
const FIND_PAST_DEADLINE = `SELECT * ${PAST_DEADLINE} LIMIT 500`;
const HAS_PAST_DEADLINE = `SELECT 1 ${PAST_DEADLINE} LIMIT 1`;
const GIVE_UP = `UPDATE job SET standing = ${CANCELLED}, updated_at = ?, flags = flags & ~${HOLDS_KEY} WHERE id = ?`;

export function cancel(
  core: Core,
  jobIds: string[],
  reason: string,
  { unlessJoined = false }: { unlessJoined?: boolean } = {},
): CancelAnswer[] {
  const now = core.clock.now();
  return jobIds.map((jobId): CancelAnswer => {
    const row = findRow(core, core.ids.decode(jobId) ?? -1);
    const { answer, change, asks, givesUpKey } = decideCancellation(row, { jobId, reason, unlessJoined });
    if (row && givesUpKey) giveUpKey(core, row, now);
    if (row && asks) askCancel(core, row, asks, now);
    if (!row || !change) return answer;
    return FINISHED.has(apply(core, row, change, now).standing) ? answer : { undoing: true };
  });
}

/** A dead letter that kept the jobs behind it waiting. */
function giveUpKey(core: Core, { id, stage, tenant }: JobRow, now: number): void {
  core.statement(GIVE_UP).run(now, id);
  core.counts.move(stage, tenant, FAILED, CANCELLED);
  core.places.leave(id);
}

/** The reads of a beat, to see without a write lock whether there is anything to write. */
export function beatIsDue(core: Core): boolean {
  if (hasLeftWork(core)) return true;
  if (core.instances.needsRenewal || core.instances.dead().length > 0 || overdue(core).length > 0) return true;
  const now = core.clock.now();
  return [HAS_UNSTARTED, HAS_PAST_DEADLINE].some((statement) => core.statement(statement).get(now) !== undefined);
}

export function idleBeat(core: Core, pools?: string): { answer: BeatAnswer } | undefined {
  return pools === undefined && !beatIsDue(core) ? { answer: { expired: [], overdue: [] } } : undefined;
}

export function beat(core: Core, pools?: string): BeatAnswer {
  if (pools !== undefined || core.instances.needsRenewal) core.instances.renew(pools);
  const expired = [...expireDead(core), ...failUnstarted(core), ...failPastDeadline(core)];
  core.hasLeftWork ||= hasLeftWork(core);
  if (expired.length > 0) core.afterCommit(() => core.events.expired(expired));
  return { expired, overdue: failOverdue(core) };
}

/** Call this before anything that depends on which processes live. */
export function buryDead(core: Core): void {
  const expired = expireDead(core);
  if (expired.length > 0) core.afterCommit(() => core.events.expired(expired));
}

function expireDead(core: Core): BeatAnswer["expired"] {
  return core.instances.dead().flatMap((dead) => bury(core, dead));
}

function bury(core: Core, { id, draining }: DeadProcess): BeatAnswer["expired"] {
  const now = core.clock.now();
  const all = core.statement(HELD_BY).all(id) as unknown as JobRow[];
  const rows = all.filter((row) => !core.names.isTooNew(core.names.stage(row.stage)));
  const held = rows.map((row) => ({ row, id: core.ids.encode(row.id), crashes: row.crashes }));
  const death = deathOf(held, { draining });
  let counts = false;
  const expired = held.map(({ row, id: jobId }) => {
    const plan = core.names.stageRules(core.names.stage(row.stage));
    const change = afterDeath({ ...standpoint(row), id: jobId }, plan, death, pastOf(core, row));
    apply(core, row, change, now);
    counts ||= change.crashes > row.crashes;
    return { jobId, standing: change.standing };
  });
  // The jobs of plans that need a newer engine stay with it until a newer process takes them back.
  if (rows.length === all.length) core.instances.bury(id, counts ? now : undefined);
  return expired;
}

/**
 * Jobs that this process still holds when it closes go back to the queue, because other processes do not look for the
 * leases of a process that has left.
 */
export function handBack(core: Core): void {
  const now = core.clock.now();
  for (const row of core.statement(HELD_BY).all(core.instances.id) as unknown as JobRow[]) {
    const plan = core.names.stageRules(core.names.stage(row.stage));
    apply(core, row, afterAttempt(standpoint(row), { type: "released" }, plan, { now, random: core.random }), now);
  }
}

/** Jobs that did not start in time, and holds that were not released in time. */
function failUnstarted(core: Core): BeatAnswer["expired"] {
  const now = core.clock.now();
  const rows = core.statement(UNSTARTED).all(now) as unknown as JobRow[];
  return rows.map((row) => {
    apply(core, row, afterDeadline(row), now);
    return { jobId: core.ids.encode(row.id), standing: "failed" as const };
  });
}

/** Jobs that did not end in time, wherever they stand. A process that runs one of them loses its lease. */
function failPastDeadline(core: Core): BeatAnswer["expired"] {
  const now = core.clock.now();
  const rows = core.statement(FIND_PAST_DEADLINE).all(now) as unknown as JobRow[];
  return rows.map((row) => {
    const held = core.held.get(row.id);
    const { standing } = apply(core, row, failAtDeadline(row), now);
    const jobId = core.ids.encode(row.id);
    if (held) core.afterCommit(() => core.events.lost([{ jobId, token: held.token, reason: "deadline" }]));
    return { jobId, standing };
  });
}

function overdue(core: Core): number[] {
  const latest = core.clock.monotonic() - OVERDUE_GRACE_MS;
  const keys: number[] = [];
  for (const [key, held] of core.held) if (held.deadlineAt <= latest) keys.push(key);
  return keys;
}

function failOverdue(core: Core): string[] {
  const now = core.clock.now();
  const failed: string[] = [];
  for (const key of overdue(core)) {
    const held = core.held.get(key);
    const row = findRow(core, key);
    if (!held || !row || row.standing !== RUNNING || row.token !== held.token) continue;
    const rules = core.names.stageRules(core.names.stage(row.stage));
    apply(core, row, afterOverdue(row, held, rules, { now, random: core.random }), now);
    failed.push(held.jobId);
    core.afterCommit(() => core.events.lost([{ jobId: held.jobId, token: held.token, reason: "timed-out" }]));
  }
  return failed;
}

interface LostLease {
  jobId: string;
  token: number;
  reason: LossReason;
}

/** Finds leases that this process no longer holds, because the job was cancelled or the process was declared dead. */
export function findLost(core: Core): LostLease[] {
  if (core.held.size === 0) return [];
  const rows = core.statement(TOKENS_HELD_BY).all(core.instances.id) as {
    id: number;
    token: number;
    flags: number;
  }[];
  const tokens = new Map(rows.map((row) => [row.id, row.token]));
  const lost: LostLease[] = [];
  for (const { id, token, flags } of rows) {
    if (flags & CANCEL_ASKED) lost.push({ jobId: core.ids.encode(id), token, reason: "undoing" });
  }
  for (const [key, held] of core.held) {
    if (tokens.get(key) === held.token) continue;
    const row = findRow(core, key);
    lost.push({ jobId: held.jobId, token: held.token, reason: lossReasonOf(row) });
    core.held.delete(key);
  }
  return lost;
}
