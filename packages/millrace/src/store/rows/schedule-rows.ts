// Schedules as both stores keep them.

import type { Schedule } from "../verbs/schedules.ts";

export interface ScheduleRow {
  tenant: string;
  name: string;
  rule: string;
  next_at: number;
  last_at: number | null;
  last_job: number | null;
}

/** In the order of the columns tenant, name, rule, next_at. */
export function scheduleValues(schedule: Schedule): [tenant: string, name: string, rule: string, nextAt: number] {
  const { name, nextAt, lastAt: _lastAt, lastJobId: _lastJobId, ...rule } = schedule;
  return [schedule.tenant, name, JSON.stringify(rule), nextAt];
}

export function scheduleOf(row: ScheduleRow, encodeId: (key: number) => string): Schedule {
  return {
    ...JSON.parse(row.rule),
    tenant: row.tenant,
    name: row.name,
    nextAt: row.next_at,
    ...(row.last_at !== null && { lastAt: row.last_at }),
    ...(row.last_job !== null && { lastJobId: encodeId(row.last_job) }),
  };
}
