// The pending jobs of each stage by what they wait for. Without a tenant no job row is read but those that are retried in the queue
// of a tenant at its limit: the rest stands in counters and in the indexes `job_waiting` and `job_retrying`.

import { HELD, READY, SCHEDULED, SUSPECT } from "../../codes.ts";
import type { PendingTally } from "../../verbs/processes.ts";
import { HAS_FAILED, IS_RETRYING, IS_WAITING } from "../../waits/counted.ts";
import type { ReadView } from "../core.ts";
import { runningLimits } from "../keys/room.ts";
import { isPaceSpent } from "./circumstances.ts";

const ALL =
  "SELECT id AS stage, held, scheduled, ready + suspect AS due FROM stage WHERE held + scheduled + ready + suspect > 0";
const OF_TENANT = `SELECT stage, sum(held) AS held, sum(scheduled) AS scheduled, sum(due) AS due FROM (
    SELECT stage, 0 AS held, 0 AS scheduled, ready AS due FROM lane WHERE tenant = ?1 AND ready > 0
    UNION ALL SELECT stage, 0, 0, count(*) FROM job INDEXED BY job_suspect WHERE standing = ${SUSPECT} AND tenant = ?1 GROUP BY stage
    UNION ALL SELECT stage, 0, count(*), 0 FROM job INDEXED BY job_scheduled WHERE standing = ${SCHEDULED} AND tenant = ?1 GROUP BY stage
    UNION ALL SELECT stage, count(*), 0, 0 FROM job INDEXED BY job_held WHERE standing = ${HELD} AND tenant = ?1 GROUP BY stage)
  GROUP BY stage`;
const AND_TENANT = "AND (?1 IS NULL OR job.tenant = ?1)";
const WAITING = `SELECT stage, count(*) AS count FROM job INDEXED BY job_waiting WHERE ${IS_WAITING} ${AND_TENANT} GROUP BY stage`;
const RETRYING = `SELECT stage, sum(standing = ${SCHEDULED}) AS later, sum(standing <> ${SCHEDULED}) AS now
  FROM job INDEXED BY job_retrying WHERE ${IS_RETRYING} ${AND_TENANT} GROUP BY stage`;
const AT_LIMIT = `SELECT lane.stage, sum(lane.ready - (SELECT count(*) FROM job INDEXED BY job_retrying
    WHERE ${HAS_FAILED} AND standing = ${READY} AND job.stage = lane.stage AND job.tenant = lane.tenant)) AS count
  FROM lane WHERE ready > 0 AND blocked = 1 AND (?1 IS NULL OR tenant = ?1) GROUP BY lane.stage`;

export function pending(view: ReadView, tenant?: string): PendingTally[] {
  const id = tenant === undefined ? null : (view.names.findTenant(tenant) ?? -1);
  const totals = view.statement(id === null ? ALL : OF_TENANT).all(...(id === null ? [] : [id])) as unknown as Total[];
  const waiting = countsOf(view.statement(WAITING).all(id) as unknown as StageCount[]);
  const atLimit = countsOf(view.statement(AT_LIMIT).all(id) as unknown as StageCount[]);
  const retrying = new Map((view.statement(RETRYING).all(id) as unknown as Retries[]).map((row) => [row.stage, row]));
  return totals.map(({ stage, held, scheduled, due }) => {
    const { kindName, name } = view.names.stage(stage);
    const { later = 0, now = 0 } = retrying.get(stage) ?? {};
    return {
      kind: kindName,
      stage: name,
      held,
      scheduled,
      due,
      waiting: waiting.get(stage) ?? 0,
      retryingLater: later,
      retryingNow: now,
      tenantAtLimit: atLimit.get(stage) ?? 0,
      isLimited: due > 0 && isLimited(view, stage),
    };
  });
}

interface Total {
  stage: number;
  held: number;
  scheduled: number;
  due: number;
}

interface StageCount {
  stage: number;
  count: number;
}

interface Retries {
  stage: number;
  later: number;
  now: number;
}

function countsOf(rows: readonly StageCount[]): Map<number, number> {
  return new Map(rows.map(({ stage, count }) => [stage, count]));
}

function isLimited(view: ReadView, id: number): boolean {
  const stage = view.names.stage(id);
  return (
    runningLimits(view, stage.kind).some(({ total, running }) => running >= total) ||
    isPaceSpent(view, stage, view.clock.now())
  );
}
