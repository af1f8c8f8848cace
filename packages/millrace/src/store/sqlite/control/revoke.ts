// Cancel, deadline and expiry end a lease from outside: in one commit the state changes, the token is outdated and the
// limit slot is freed, once. There is no "cancel requested" in between.

import { deathOf } from "../../../job/crash.ts";
import { STANDINGS } from "../../../job/job.ts";
import type { LossReason } from "../../../job/lease.ts";
import { afterAttempt, afterDeath } from "../../../job/lifecycle.ts";
import { RUNNING } from "../../codes.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import { afterDeadline, type JobRow, standpoint } from "../../rows/job-row.ts";
import type { CancelAnswer } from "../../verbs/jobs.ts";
import type { BeatAnswer } from "../../verbs/processes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import type { Dead } from "../register/instances.ts";
import { apply } from "../settle/apply.ts";
import { pastOf } from "../settle/deaths.ts";

const HELD_BY = "SELECT * FROM job WHERE standing = 4 AND holder = ?";
const TOKENS_HELD_BY = "SELECT id, token FROM job WHERE standing = 4 AND holder = ?";
const UNSTARTED = "SELECT * FROM job WHERE expires_at IS NOT NULL AND expires_at <= ? AND standing < 4 LIMIT 500";
const HAS_UNSTARTED = "SELECT 1 FROM job WHERE expires_at IS NOT NULL AND expires_at <= ? AND standing < 4 LIMIT 1";

/** A processor whose main loop is blocked cannot keep its own deadline: past it by this much the store does. */
const OVERDUE_GRACE_MS = 1_000;

export function cancel(
  core: Core,
  jobIds: string[],
  reason: string,
  { unlessJoined = false }: { unlessJoined?: boolean } = {},
): CancelAnswer[] {
  const now = core.clock.now();
  return jobIds.map((jobId): CancelAnswer => {
    const row = findRow(core, core.ids.decode(jobId) ?? -1);
    const { answer, change } = decideCancellation(row, { jobId, reason, unlessJoined });
    if (row && change) apply(core, row, change, now);
    return answer;
  });
}

/** The reads of a beat, to see without a write lock whether there is anything to write. */
export function beatIsDue(core: Core): boolean {
  if (core.instances.needsRenewal || core.instances.dead().length > 0 || overdue(core).length > 0) return true;
  return core.statement(HAS_UNSTARTED).get(core.clock.now()) !== undefined;
}

export function idleBeat(core: Core, pools?: string): { answer: BeatAnswer } | undefined {
  return pools === undefined && !beatIsDue(core) ? { answer: { expired: [], overdue: [] } } : undefined;
}

export function beat(core: Core, pools?: string): BeatAnswer {
  if (pools !== undefined || core.instances.needsRenewal) core.instances.renew(pools);
  const expired = [...expireDead(core), ...failUnstarted(core)];
  if (expired.length > 0) core.afterCommit(() => core.events.expired(expired));
  return { expired, overdue: failOverdue(core) };
}

/** Before an act that depends on who lives. */
export function buryDead(core: Core): void {
  const expired = expireDead(core);
  if (expired.length > 0) core.afterCommit(() => core.events.expired(expired));
}

function expireDead(core: Core): BeatAnswer["expired"] {
  return core.instances.dead().flatMap((dead) => bury(core, dead));
}

function bury(core: Core, { id, draining }: Dead): BeatAnswer["expired"] {
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

/** What this process still holds as it closes goes back to the queue: nobody looks for the leases of one that left. */
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
    const waitedMs = now - (row.started_at ?? now);
    const failure = {
      code: "timed-out",
      message: `Timed out after ${waitedMs} ms.`,
      permanent: !held.retryTimeouts,
    };
    const plan = core.names.stageRules(core.names.stage(row.stage));
    apply(
      core,
      row,
      afterAttempt(standpoint(row), { type: "failed", failure }, plan, { now, random: core.random }),
      now,
    );
    failed.push(held.jobId);
    core.afterCommit(() => core.events.lost([{ jobId: held.jobId, token: held.token, reason: "timed-out" }]));
  }
  return failed;
}

interface Lost {
  jobId: string;
  token: number;
  reason: LossReason;
}

/** Leases we believe to hold and no longer do: somebody cancelled the job, or took us for dead. */
export function findLost(core: Core): Lost[] {
  if (core.held.size === 0) return [];
  const rows = core.statement(TOKENS_HELD_BY).all(core.instances.id) as { id: number; token: number }[];
  const tokens = new Map(rows.map((row) => [row.id, row.token]));
  const lost: Lost[] = [];
  for (const [key, held] of core.held) {
    if (tokens.get(key) === held.token) continue;
    const row = findRow(core, key);
    const cancelled = row && STANDINGS[row.standing] === "cancelled";
    lost.push({
      jobId: held.jobId,
      token: held.token,
      reason: cancelled ? ("cancelled" as const) : ("lease-lost" as const),
    });
    core.held.delete(key);
  }
  return lost;
}
