// Ends jobs whose time is up: they did not start in time, did not end in time, or an attempt of this process is overdue.

import type { Transition } from "../../../job/lifecycle.ts";
import { RUNNING } from "../../codes.ts";
import { afterOverdue, OVERDUE_GRACE_MS } from "../../decide/attempt/expiry.ts";
import { failAtDeadline } from "../../decide/deadline.ts";
import { afterDeadline } from "../../rows/job-row.ts";
import type { BeatAnswer } from "../../verbs/processes.ts";
import { NOT_BUNDLED } from "../claim/pick.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { applyAll } from "../settle/apply.ts";
import { LOCK_JOBS } from "./job-rows.ts";

const UNSTARTED = `SELECT *, ${NOW} AS now FROM millrace.job WHERE expires_at IS NOT NULL AND expires_at <= ${NOW} AND standing < ${RUNNING}
  AND ${NOT_BUNDLED} ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED`;
const PAST_DEADLINE = `SELECT *, ${NOW} AS now FROM millrace.job
  WHERE deadline_at IS NOT NULL AND deadline_at <= ${NOW} AND ${NOT_BUNDLED}
    AND NOT EXISTS (SELECT 1 FROM millrace.workflow WHERE workflow.job = job.id AND ending IS NOT NULL)
  ORDER BY deadline_at LIMIT 500 FOR UPDATE SKIP LOCKED`;

/** Jobs that did not start in time, and holds that were not released in time. */
export function failUnstarted(core: Core): Promise<BeatAnswer["expired"]> {
  return core.connections.write.transact(async (tx) => {
    const rows = await tx.run<LockedRow>(UNSTARTED, [core.clock.given]);
    await core.names.knowStages(rows.map(({ stage }) => stage));
    const changes = rows.map((row) => ({ row, change: afterDeadline(row) }));
    await applyAll(core, tx, changes);
    return rows.map((row) => ({ jobId: core.ids.encode(row.id), standing: "failed" as const }));
  });
}

/** Jobs that did not end in time, wherever they stand. A process that runs one of them loses its lease. */
export async function failPastDeadline(core: Core): Promise<BeatAnswer["expired"]> {
  const { rows, expired } = await core.connections.write.transact(async (tx) => {
    const late = await tx.run<LockedRow>(PAST_DEADLINE, [core.clock.given]);
    await core.names.knowStages(late.map(({ stage }) => stage));
    const changes = late.map((row) => ({ row, change: failAtDeadline(row) }));
    const answers = await applyAll(core, tx, changes);
    return {
      rows: late,
      expired: late.map((row, i) => ({ jobId: core.ids.encode(row.id), standing: answers[i]?.standing ?? "failed" })),
    };
  });
  const running = rows.filter(({ standing }) => standing === RUNNING);
  const ours = running.flatMap(({ id, token }) => (core.leases.get(id)?.token === token ? [{ id, token }] : []));
  for (const { id } of ours) core.leases.end(id);
  const lost = ours.map(({ id, token }) => ({ jobId: core.ids.encode(id), token, reason: "deadline" as const }));
  if (lost.length > 0) core.events.lost(lost);
  if (running.length > ours.length) core.voice.say("revoked");
  if (rows.length > 0) core.voice.say("end");
  return expired;
}

export async function failOverdue(core: Core): Promise<string[]> {
  const latest = core.clock.monotonic() - OVERDUE_GRACE_MS;
  const late = core.leases.all().filter((held) => held.deadlineAt <= latest);
  if (late.length === 0) return [];
  await core.bundles.openFor(late.map(({ key }) => key));
  const failed = await core.connections.write.transact(async (tx) => {
    const rows = await tx.run<LockedRow>(LOCK_JOBS, [core.clock.given, numbers(late.map(({ key }) => key))]);
    await core.names.knowStages(rows.map(({ stage }) => stage));
    const ended: typeof late = [];
    const changes: { row: LockedRow; change: Transition }[] = [];
    for (const row of rows) {
      const held = late.find(({ key }) => key === row.id);
      if (!held || row.standing !== RUNNING || row.token !== held.token) continue;
      const rules = core.names.stageRules(core.names.stage(row.stage));
      changes.push({ row, change: afterOverdue(row, held, rules, { now: row.now, random: core.random }) });
      ended.push(held);
    }
    await applyAll(core, tx, changes);
    return ended;
  });
  for (const { key } of failed) core.leases.end(key);
  const lost = failed.map(({ jobId, token }) => ({ jobId, token, reason: "timed-out" as const }));
  if (lost.length > 0) core.events.lost(lost);
  return failed.map(({ jobId }) => jobId);
}
