// A lane holds the ready jobs of one stage and tenant. A lane that has ready jobs is active, and an active one may have them. A
// counter would keep that true too, but every submission would have to write it. Instead, a statement that makes a job ready holds
// a key-share lock on its lane until it commits. Such locks go together, and go with the new turn that a claim writes. Only a lane
// without such a lock can be put to rest.

import { READY } from "../../codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";

/**
 * Parts of a larger WITH, in which `wanted` names the lanes (stage, tenant) of the jobs that the statement makes ready. Resting
 * lanes are woken, and get the next turn.
 */
export const WAKE_LANES = `
  serving AS MATERIALIZED (
    SELECT lane.stage, lane.tenant
    FROM (SELECT stage, tenant FROM wanted ORDER BY stage, tenant) AS asked,
      LATERAL (
        SELECT stage, tenant, active
        FROM millrace.lane
        WHERE lane.stage = asked.stage AND lane.tenant = asked.tenant
        LIMIT 1
        FOR KEY SHARE
      ) AS lane
    WHERE lane.active
  ),
  woken AS (
    INSERT INTO millrace.lane (stage, tenant, active)
    SELECT stage, tenant, true
    FROM wanted
    WHERE NOT EXISTS (SELECT 1 FROM serving WHERE serving.stage = wanted.stage AND serving.tenant = wanted.tenant)
    ORDER BY stage, tenant
    ON CONFLICT (stage, tenant) DO UPDATE SET active = true, turn = 0
    RETURNING 1
  )`;

const WAKE = statement<LaneArrays>(`WITH wanted AS (
    SELECT DISTINCT stage, tenant FROM unnest(:stages::int[], :tenants::int[]) AS t (stage, tenant)
  ),
  ${WAKE_LANES}
  SELECT count(*)::int AS woken FROM woken`);

const anyReadyJob = (lane: string) => `(
      SELECT true AS there
      FROM millrace.job
      WHERE standing = ${READY} AND job.stage = ${lane}.stage AND job.tenant = ${lane}.tenant
      ORDER BY priority, run_at, id
      LIMIT 1
    ) AS any_job`;
const FIND_IDLE = `SELECT stage, tenant
  FROM millrace.lane
    LEFT JOIN LATERAL ${anyReadyJob("lane")} ON true
  WHERE active AND there IS NULL
  ORDER BY stage, tenant
  LIMIT 1000
  FOR UPDATE OF lane SKIP LOCKED`;
/** Looks a second time, now that the lanes are locked: it sees what was committed since the first look. */
const REST = statement<LaneArrays>(`UPDATE millrace.lane
  SET active = false
  WHERE ctid = ANY(ARRAY(
    SELECT tid
    FROM unnest(:stages::int[], :tenants::int[]) AS t (stage, tenant),
      LATERAL (
        SELECT ctid AS tid FROM millrace.lane WHERE lane.stage = t.stage AND lane.tenant = t.tenant LIMIT 1
      ) AS lane
      LEFT JOIN LATERAL ${anyReadyJob("t")} ON true
    WHERE there IS NULL
  ))`);

export interface Lane {
  stage: number;
  tenant: number;
}

interface LaneArrays {
  stages: string;
  tenants: string;
}

/** Runs in the transaction that makes the jobs ready. */
export async function wakeLanes(tx: StatementRunner, lanes: readonly Lane[]): Promise<void> {
  if (lanes.length > 0) await tx.run(...WAKE(arraysOf(lanes)));
}

/** Puts lanes without ready jobs to rest, so that claims need not look at them. */
export async function restLanes(tx: StatementRunner): Promise<void> {
  const idle = await tx.run<Lane>(FIND_IDLE, []);
  if (idle.length > 0) await tx.run(...REST(arraysOf(idle)));
}

function arraysOf(lanes: readonly Lane[]): LaneArrays {
  return { stages: numbers(lanes.map(({ stage }) => stage)), tenants: numbers(lanes.map(({ tenant }) => tenant)) };
}
