// Which ready jobs a claim takes: those of the lanes with the lowest turn, and of each lane the first by (priority, run_at, id).
// The text is the first part of a larger WITH: rows.ts writes the row of each job, bundle.ts one row for all of them.

import { READY, RUNNING } from "../../codes.ts";
import { UNLIMITED_STARTS } from "../../decide/limits/turns.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { Value } from "../connection/connection.ts";
import { lockKey } from "../connection/locks.ts";
import { type Query, statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";

/** The moment of the statement. In a SELECT of its own it is computed once; for each of 250 rows it cost more than their index entries. */
export const MOMENT = `(SELECT ${nowBy(":now")})`;

/**
 * How many jobs of a tenant run. Jobs in bundles are always looked up by their keys, whatever the planner would choose.
 */
export const runningOf = (tenant: string) => `(
    (SELECT count(*) FROM millrace.job AS own WHERE own.standing = ${RUNNING} AND own.tenant = ${tenant})
    + (SELECT count(*)
      FROM millrace.bundle,
        unnest(bundle.jobs) AS named (id),
        LATERAL (SELECT 1 FROM millrace.job AS own
          WHERE own.id = named.id AND own.standing + 0 = ${READY} AND own.tenant = ${tenant} LIMIT 1) AS there)
  )`;

/** The limit on the running jobs of a tenant; 0 means no limit. `own` is the tenant's own limit, if it has one. */
export const maxRunningOf = (own: string) => `coalesce(${own}, :maxRunning::int)`;

/** How many jobs of a tenant may start. */
export const mayStartOf = (own: string, tenant: string) => `CASE WHEN ${maxRunningOf(own)} = 0 THEN ${UNLIMITED_STARTS}
    ELSE ${maxRunningOf(own)} - ${runningOf(tenant)} END`;

/** The row of a job in a bundle still says that it is ready, although a process works on it (bundles.ts). */
export const NOT_BUNDLED = "job.id NOT IN (SELECT unnest(jobs) FROM millrace.bundle)";

/** A single lane needs no turns, and no second look whether it has more jobs than bundles name. */
const IS_ONLY_LANE = `(SELECT count(*) < 2
    FROM (SELECT 1 FROM millrace.lane WHERE lane.stage = :stage AND lane.active LIMIT 2) AS two)`;

const IS_PAUSED = `(SELECT kind.paused
    FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind
    WHERE stage.id = :stage)`;

// The mark of a lane is found by the position of its tenant in the sorted array of tenants. Joined with the marks as rows, every
// lane was compared with every mark.
const markOf = (
  values: string,
) => `CASE WHEN (:markTenants::int[])[width_bucket(lane.tenant, :markTenants::int[])] = lane.tenant
          THEN (${values})[width_bucket(lane.tenant, :markTenants::int[])] END`;

/**
 * The common table expressions `lanes`, `serving`, `share`, `picked`, `dealt`, `served` and `turns`.
 *
 * - `lanes` are the active lanes that have a job, by their turn. The planner must not join them with the whole backlog (48 ms at
 *   40,000 jobs), so the look for any job has an order and a LIMIT where EXISTS would do.
 * - `share`: with more lanes than free processors each gives one job; with fewer, each gives an equal share.
 * - `picked` are the jobs, with the columns that the caller needs.
 * - `dealt` draws the next turns before any lane is joined: a join may give its rows in any order, and the lane that was served
 *   last would come first again. Of lanes without a turn any may come first, so they need not all be read.
 *
 * `:tenants` are the tenants that may start jobs, and this transaction has locked their limits. Without such limits it is NULL: then
 * no job is taken of a tenant with a limit of its own, so a process that does not know of it yet cannot exceed it.
 */
export const pickedJobs = ({ columns, lock = "" }: { columns: string; lock?: string }) => `lanes AS MATERIALIZED (
    SELECT lane.tenant,
      lane.turn,
      tenant.name AS tenant_name,
      CASE WHEN :tenants::int[] IS NULL THEN 0 ELSE ${mayStartOf("tenant.max_running", "lane.tenant")} END AS may_start,
      mark.priority AS from_priority,
      mark.run_at AS from_run_at,
      mark.id AS from_id
    FROM millrace.lane,
      LATERAL (
        SELECT name, max_running
        FROM millrace.tenant
        WHERE id = lane.tenant AND (:tenants::int[] IS NOT NULL OR coalesce(max_running, 0) = 0)
        LIMIT 1
      ) AS tenant,
      LATERAL (
        SELECT coalesce(${markOf(":markPriorities::int[]")}, -2147483648) AS priority,
          coalesce(${markOf(":markRunAts::bigint[]")}, 0) AS run_at,
          coalesce(${markOf(":markIds::bigint[]")}, 0) AS id
        OFFSET 0
      ) AS mark,
      LATERAL (
        SELECT 1
        FROM millrace.job
        WHERE standing = ${READY} AND job.stage = :stage AND job.tenant = lane.tenant
          AND (priority, run_at, id) >= (mark.priority, mark.run_at, mark.id)
          AND (${IS_ONLY_LANE} OR ${NOT_BUNDLED})
        ORDER BY priority, run_at, id
        LIMIT 1
      ) AS any_job
    WHERE lane.stage = :stage
      AND lane.active
      AND (:tenants::int[] IS NULL OR lane.tenant = ANY(:tenants::int[]))
      AND NOT ${IS_PAUSED}
    ORDER BY lane.turn
    LIMIT cardinality(:slots::int[])
  ),
  serving AS MATERIALIZED (
    SELECT * FROM lanes WHERE :tenants::int[] IS NULL OR may_start > 0
  ),
  share AS MATERIALIZED (
    SELECT greatest(1, cardinality(:slots::int[]) / greatest(1, count(*))) AS jobs FROM serving
  ),
  picked AS MATERIALIZED (
    SELECT ${columns}
    FROM serving,
      share,
      LATERAL (
        SELECT ctid AS tid, id, priority, run_at
        FROM millrace.job
        WHERE standing = ${READY} AND job.stage = :stage AND job.tenant = serving.tenant
          AND (priority, run_at, id) >= (from_priority, from_run_at, from_id)
          AND (expires_at IS NULL OR expires_at > ${MOMENT})
          AND ${NOT_BUNDLED}
        ORDER BY priority, run_at, id
        LIMIT CASE WHEN :tenants::int[] IS NULL THEN share.jobs ELSE least(share.jobs, serving.may_start) END
        ${lock}
      ) AS job
  ),
  dealt AS MATERIALIZED (
    SELECT tenant, nextval('millrace.lane_turn') AS turn
    FROM (
      SELECT tenant FROM serving WHERE turn = 0 OR NOT ${IS_ONLY_LANE} ORDER BY turn, tenant
    ) AS in_order
  ),
  served AS MATERIALIZED (
    SELECT lane.tid, dealt.turn
    FROM dealt,
      LATERAL (
        SELECT ctid AS tid
        FROM millrace.lane
        WHERE lane.stage = :stage AND lane.tenant = dealt.tenant
        LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS lane
  ),
  turns AS (
    UPDATE millrace.lane
    SET turn = served.turn
    FROM served
    WHERE lane.ctid = ANY(ARRAY(SELECT tid FROM served)) AND lane.ctid = served.tid
  )`;

/** The parameters of `pickedJobs`. */
export interface PickParameters {
  now: Value;
  holder: number;
  stage: number;
  slots: string;
  tenants: Value;
  maxRunning: number;
  markTenants: string;
  markPriorities: string;
  markRunAts: string;
  markIds: string;
}

/** `tenants`: those whose limit on running jobs is locked; missing without such a limit. */
export function pickParameters(core: Core, stage: StageRow, slots: number[], tenants?: number[]): PickParameters {
  const marks = core.marks.of(stage.id);
  return {
    now: core.clock.given,
    holder: core.instances.id,
    stage: stage.id,
    slots: numbers(slots),
    tenants: tenants === undefined ? null : numbers(tenants),
    maxRunning: core.options.limits.maxConcurrentPerTenant,
    markTenants: numbers(marks.map(({ tenant }) => tenant)),
    markPriorities: numbers(marks.map(({ priority }) => priority)),
    markRunAts: numbers(marks.map(({ run_at }) => run_at)),
    markIds: numbers(marks.map(({ id }) => id)),
  };
}

// The claim that follows is planned once: the server would take longer to plan it each time than to run it. And it does not wait
// for the disk: a server that crashes and forgets a claim has ready jobs again.
const SETTINGS = `set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('synchronous_commit', 'off', true)`;
const LOCK_ALONE = statement<{ key: string }>(`SELECT ${SETTINGS}, pg_advisory_xact_lock(:key::bigint)`);
const LOCK_SHARED = statement<{ key: string }>(`SELECT ${SETTINGS}, pg_advisory_xact_lock_shared(:key::bigint)`);

/**
 * A claim that writes a bundle is alone with its stage until it has committed; claims that write rows run side by side. The lock
 * needs a statement of its own before the claim, because a statement sees only what was committed when it began.
 */
export function lockStage(core: Core, stage: StageRow, { alone }: { alone: boolean }): Query {
  const key = lockKey(core.connections.target.schema, `claims ${stage.id}`);
  return alone ? LOCK_ALONE({ key }) : LOCK_SHARED({ key });
}
