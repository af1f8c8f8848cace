// Ends jobs whose time is up: they did not start in time, did not end in time, or an attempt of this process is overdue.

import { COMPLETED, RUNNING } from "../../codes.ts";
import { afterOverdue, OVERDUE_GRACE_MS } from "../../decide/attempt/expiry.ts";
import { failAtDeadline } from "../../decide/deadline.ts";
import { afterDeadline, type JobRow } from "../../rows/job-row.ts";
import type { BeatAnswer } from "../../verbs/processes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { apply } from "../settle/apply.ts";

const UNSTARTED = `SELECT * FROM job WHERE expires_at IS NOT NULL AND expires_at <= ? AND standing < ${RUNNING} LIMIT 500`;
const HAS_UNSTARTED = `SELECT 1 FROM job WHERE expires_at IS NOT NULL AND expires_at <= ? AND standing < ${RUNNING} LIMIT 1`;

const PAST_DEADLINE = `FROM job
  WHERE deadline_at IS NOT NULL AND deadline_at <= ? AND standing < ${COMPLETED}
    AND NOT EXISTS (SELECT 1 FROM workflow WHERE workflow.job = job.id AND ending IS NOT NULL)`;
const FIND_PAST_DEADLINE = `SELECT * ${PAST_DEADLINE} LIMIT 500`;
const HAS_PAST_DEADLINE = `SELECT 1 ${PAST_DEADLINE} LIMIT 1`;

/** Whether the time of any job is up, by reads alone. */
export function isTimeUp(core: Core): boolean {
  const now = core.clock.now();
  return (
    overdue(core).length > 0 ||
    [HAS_UNSTARTED, HAS_PAST_DEADLINE].some((statement) => core.statement(statement).get(now) !== undefined)
  );
}

/** Jobs that did not start in time, and holds that were not released in time. */
export function failUnstarted(core: Core): BeatAnswer["expired"] {
  const now = core.clock.now();
  const rows = core.statement(UNSTARTED).all(now) as unknown as JobRow[];
  return rows.map((row) => {
    apply(core, row, afterDeadline(row), now);
    return { jobId: core.ids.encode(row.id), standing: "failed" as const };
  });
}

/** Jobs that did not end in time, wherever they stand. A process that runs one of them loses its lease. */
export function failPastDeadline(core: Core): BeatAnswer["expired"] {
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

export function failOverdue(core: Core): string[] {
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
