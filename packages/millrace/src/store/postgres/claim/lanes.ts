// A lane that may have ready jobs is active, and one that has them is so for sure. To keep that true without a counter
// that every submission would have to write, whoever makes a job ready holds a key-share lock on its lane until it
// commits: such locks stand side by side, and beside a claim's new turn. Only a lane on which nobody holds one can be put to rest.

import { numbers } from "../connection/arrays.ts";
import type { Runner } from "../connection/connection.ts";

/**
 * `wanted` must name the lanes (stage, tenant) of a statement's ready jobs. Those at rest are woken, and get the next
 * turn. Parts of a larger WITH.
 */
export const WAKE_LANES = `
  serving AS MATERIALIZED (SELECT lane.stage, lane.tenant FROM (SELECT stage, tenant FROM wanted ORDER BY stage, tenant) AS asked,
    LATERAL (SELECT stage, tenant, active FROM millrace.lane WHERE lane.stage = asked.stage AND lane.tenant = asked.tenant
      LIMIT 1 FOR KEY SHARE) AS lane WHERE lane.active),
  woken AS (INSERT INTO millrace.lane (stage, tenant, active)
    SELECT stage, tenant, true FROM wanted WHERE NOT EXISTS
      (SELECT 1 FROM serving WHERE serving.stage = wanted.stage AND serving.tenant = wanted.tenant)
    ORDER BY stage, tenant ON CONFLICT (stage, tenant) DO UPDATE SET active = true, turn = 0 RETURNING 1)`;

const WAKE = `WITH wanted AS (SELECT DISTINCT stage, tenant FROM unnest($1::int[], $2::int[]) AS t (stage, tenant)),
  ${WAKE_LANES} SELECT count(*)::int AS woken FROM woken`;

/** In the transaction that makes the jobs ready. */
export async function wakeLanes(tx: Runner, lanes: { stage: number; tenant: number }[]): Promise<void> {
  if (lanes.length === 0) return;
  await tx.run(WAKE, [numbers(lanes.map(({ stage }) => stage)), numbers(lanes.map(({ tenant }) => tenant))]);
}

const IDLE = `SELECT stage, tenant FROM millrace.lane LEFT JOIN LATERAL (SELECT true AS there FROM millrace.job WHERE standing = 1
    AND job.stage = lane.stage AND job.tenant = lane.tenant ORDER BY priority, run_at, id LIMIT 1) AS any_job ON true
  WHERE active AND there IS NULL ORDER BY stage, tenant LIMIT 1000 FOR UPDATE OF lane SKIP LOCKED`;
// A second look, once the lane is ours: what was committed since the first is seen by it.
const REST = `UPDATE millrace.lane SET active = false WHERE ctid = ANY(ARRAY(SELECT place FROM unnest($1::int[], $2::int[]) AS t (stage, tenant),
  LATERAL (SELECT ctid AS place FROM millrace.lane WHERE lane.stage = t.stage AND lane.tenant = t.tenant LIMIT 1) AS lane
  LEFT JOIN LATERAL (SELECT true AS there FROM millrace.job WHERE standing = 1 AND job.stage = t.stage AND job.tenant = t.tenant
    ORDER BY priority, run_at, id LIMIT 1) AS any_job ON true WHERE there IS NULL))`;

/** Puts lanes without ready jobs to rest, so that a claim need not look at them. */
export async function restLanes(tx: Runner): Promise<void> {
  const idle = await tx.run<{ stage: number; tenant: number }>(IDLE, []);
  if (idle.length === 0) return;
  await tx.run(REST, [numbers(idle.map(({ stage }) => stage)), numbers(idle.map(({ tenant }) => tenant))]);
}
