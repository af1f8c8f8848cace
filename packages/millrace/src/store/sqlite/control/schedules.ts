import { type ScheduleRow, scheduleOf, scheduleValues } from "../../rows/schedule-rows.ts";
import type { FireAnswer, Schedule, ScheduleFilter, ScheduleName } from "../../verbs/schedules.ts";
import type { Submission } from "../../verbs/submission.ts";
import type { Core, ReadView } from "../core.ts";
import { submit } from "../submit/submit.ts";

const PUT = `INSERT INTO schedule (tenant, name, rule, next_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (tenant, name) DO UPDATE SET rule = ?3, next_at = ?4`;
const COUNT_OTHERS = "SELECT count(*) AS count FROM schedule WHERE tenant = ? AND name <> ?";
const IS_THERE = "SELECT 1 FROM schedule WHERE tenant = ? AND name = ?";
const REMOVE = "DELETE FROM schedule WHERE tenant = ? AND name = ?";
const MOVE = "UPDATE schedule SET next_at = ?, last_at = ? WHERE tenant = ? AND name = ? AND next_at = ?";
const SET_LAST_JOB = "UPDATE schedule SET last_job = ? WHERE tenant = ? AND name = ?";
const SCHEDULES = `SELECT tenant, name, rule, next_at, last_at, last_job FROM schedule
  WHERE (?1 IS NULL OR tenant = ?1) AND (?2 IS NULL OR name = ?2) ORDER BY name, tenant`;
const DUE = `SELECT tenant, name, rule, next_at, last_at, last_job FROM schedule
  WHERE next_at <= ? ORDER BY next_at, name, tenant`;

export function putSchedule(core: Core, schedule: Schedule, most: number): boolean {
  const { tenant, name } = schedule;
  // An existing schedule can be replaced even if the limit was lowered since.
  const isNew = core.statement(IS_THERE).get(tenant, name) === undefined;
  const { count } = core.statement(COUNT_OTHERS).get(tenant, name) as { count: number };
  if (isNew && most > 0 && count >= most) return false;
  core.statement(PUT).run(...scheduleValues(schedule));
  return true;
}

export function removeSchedule(core: Core, { tenant, name }: ScheduleName): boolean {
  return Number(core.statement(REMOVE).run(tenant, name).changes) > 0;
}

/** Fires the schedule only if it still expects this tick, so that one of several processes does. */
export function fire(
  core: Core,
  { tenant, name }: ScheduleName,
  expectedAt: number,
  nextAt: number,
  submission: Submission | undefined,
): FireAnswer {
  const { changes } = core.statement(MOVE).run(nextAt, expectedAt, tenant, name, expectedAt);
  if (Number(changes) === 0) return { fired: false };
  if (!submission) return { fired: true };
  const [answer] = submit(core, [submission]);
  if (!answer || answer.type === "refused") return { fired: true, ...(answer && { refused: answer.message }) };
  const jobId = answer.jobIds[0] as string;
  core.statement(SET_LAST_JOB).run(core.ids.decode(jobId) as number, tenant, name);
  return { fired: true, jobId };
}

export function schedules(core: ReadView, { tenant, name, dueAt }: ScheduleFilter = {}): Schedule[] {
  const rows =
    dueAt === undefined ? core.statement(SCHEDULES).all(tenant ?? null, name ?? null) : core.statement(DUE).all(dueAt);
  return (rows as unknown as ScheduleRow[]).map((row) => scheduleOf(row, (key) => core.ids.encode(key)));
}
