import { type ScheduleRow, scheduleOf, scheduleValues } from "../../rows/schedule-rows.ts";
import type { FireAnswer, Schedule, ScheduleFilter, ScheduleName } from "../../verbs/schedules.ts";
import type { Submission } from "../../verbs/submission.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { submitInside } from "../submit/submit.ts";

const PUT = `INSERT INTO millrace.schedule (tenant, name, rule, next_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant, name) DO UPDATE SET rule = excluded.rule, next_at = excluded.next_at`;
const COUNT_OTHERS = `SELECT count(*)::int AS count, EXISTS (SELECT 1 FROM millrace.schedule WHERE tenant = $1 AND name = $2) AS there
  FROM millrace.schedule WHERE tenant = $1 AND name <> $2`;
const REMOVE = "DELETE FROM millrace.schedule WHERE tenant = $1 AND name = $2 RETURNING name";
const MOVE = `UPDATE millrace.schedule SET next_at = $1, last_at = $2 WHERE tenant = $3 AND name = $4 AND next_at = $2
  RETURNING name`;
const SET_LAST_JOB = "UPDATE millrace.schedule SET last_job = $1 WHERE tenant = $2 AND name = $3";
const SCHEDULES = `SELECT tenant, name, rule, next_at, last_at, last_job FROM millrace.schedule
  WHERE ($1::text IS NULL OR tenant = $1) AND ($2::text IS NULL OR name = $2)
  ORDER BY name COLLATE "C", tenant COLLATE "C"`;
const DUE = `SELECT tenant, name, rule, next_at, last_at, last_job FROM millrace.schedule
  WHERE next_at <= $1 ORDER BY next_at, name COLLATE "C", tenant COLLATE "C"`;

export async function putSchedule(core: Core, schedule: Schedule, most: number): Promise<boolean> {
  const { tenant, name } = schedule;
  return core.connections.write.transact(async (tx) => {
    await lock(tx, core.connections.target.schema, [`schedules ${tenant}`]);
    const [others] = await tx.run<{ count: number; there: boolean }>(COUNT_OTHERS, [tenant, name]);
    // An existing schedule can be replaced even if the limit was lowered since.
    if (others && !others.there && most > 0 && others.count >= most) return false;
    await tx.run(PUT, scheduleValues(schedule));
    return true;
  });
}

export async function removeSchedule(core: Core, { tenant, name }: ScheduleName): Promise<boolean> {
  return (await core.connections.write.run(REMOVE, [tenant, name])).length > 0;
}

/**
 * Fires the schedule only if it still expects this tick, so that one of several processes does, in the same transaction
 * as its job.
 */
export async function fire(
  core: Core,
  { tenant, name }: ScheduleName,
  expectedAt: number,
  nextAt: number,
  submission: Submission | undefined,
): Promise<FireAnswer> {
  const fired = await core.connections.write.transact(async (tx): Promise<FireAnswer> => {
    const moved = await tx.run(MOVE, [nextAt, expectedAt, tenant, name]);
    if (moved.length === 0) return { fired: false };
    if (!submission) return { fired: true };
    const answer = await submitInside(core, tx, submission);
    if (answer.type === "refused") return { fired: true, refused: answer.message };
    const jobId = answer.jobIds[0] as string;
    await tx.run(SET_LAST_JOB, [core.ids.decode(jobId) as number, tenant, name]);
    return { fired: true, jobId };
  });
  if (fired.fired && fired.jobId !== undefined) core.voice.say("work");
  return fired;
}

export async function schedules(core: Core, { tenant, name, dueAt }: ScheduleFilter = {}): Promise<Schedule[]> {
  const rows =
    dueAt === undefined
      ? await core.connections.read.run<ScheduleRow>(SCHEDULES, [tenant ?? null, name ?? null])
      : await core.connections.read.run<ScheduleRow>(DUE, [Math.floor(dueAt)]);
  return rows.map((row) => scheduleOf(row, (key) => core.ids.encode(key)));
}
