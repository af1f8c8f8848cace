// Which jobs a claim takes: those of the lanes with the lowest turn, and of each the first by (priority, run_at, key). As parts of a
// larger WITH, for a claim that writes a row for each and for one that writes a bundle.

import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Value } from "../connection/connection.ts";
import type { Step } from "../connection/connections.ts";
import { lockKey } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import type { Mark } from "./marks.ts";

// In a SELECT of its own it is reckoned once: for every row of 250 it cost more than their index entries.
export const AT = `(SELECT ${NOW})`;

/** How many of a tenant's jobs run, those in bundles included: each of these is looked up by its key, whatever the planner thinks. */
export const runningOf = (
  tenant: string,
) => `((SELECT count(*) FROM millrace.job AS own WHERE own.standing = 4 AND own.tenant = ${tenant})
  + (SELECT count(*) FROM millrace.bundle, unnest(bundle.jobs) AS named (id), LATERAL (SELECT 1 FROM millrace.job AS own
    WHERE own.id = named.id AND own.standing + 0 = 1 AND own.tenant = ${tenant} LIMIT 1) AS there))`;

// Jobs that a bundle names are ready by their rows, and somebody's (bundles.ts).
export const NOT_BUNDLED = "job.id NOT IN (SELECT unnest(jobs) FROM millrace.bundle)";
// It needs no turns, nor to know whether it has more than bundles name: that need not be looked up twice.
const ONE_LANE =
  "(SELECT count(*) < 2 FROM (SELECT 1 FROM millrace.lane WHERE lane.stage = $3 AND lane.active LIMIT 2) AS two)";

// A lane's mark is at the place of its tenant among the sorted tenants of all marks. Joined with them as rows, every lane was
// compared with every mark.
const MARKED = (array: string) => `CASE WHEN ($7::int[])[width_bucket(lane.tenant, $7::int[])] = lane.tenant
  THEN (${array})[width_bucket(lane.tenant, $7::int[])] END`;

// $3 stage, $4 slots, $5 the tenants whose places are locked (NULL: no bound on places), $6 the bound, $7 to $10 the marks to
// start from (marks.ts), by tenant.
// The planner must not join with the whole backlog, whatever it thinks of the parts (48 ms at 40,000 jobs): the look for any job has
// an order and a LIMIT of its own where EXISTS would do, and the rows to take are named as an array.
// With more tenants than room one job each, with fewer an equal share; what is left over goes to the next round.
// Of lanes that had no turn yet any may come first: in the order of their index they need not all be read to find out.
// The next turns are dealt before any lane is joined: a join may come in any order, and who came last would be served first again.
export const picked = ({
  columns,
  lock = "",
}: {
  columns: string;
  lock?: string;
}) => `lanes AS MATERIALIZED (SELECT lane.tenant, lane.turn, (SELECT name FROM millrace.tenant WHERE id = lane.tenant) AS tenant_name,
      $6::int - CASE WHEN $5::int[] IS NULL THEN 0 ELSE
      ${runningOf("lane.tenant")} END AS places,
      mark.priority AS from_priority, mark.run_at AS from_run_at, mark.id AS from_id
    FROM millrace.lane, LATERAL (SELECT coalesce(${MARKED("$8::int[]")}, -2147483648) AS priority, coalesce(${MARKED("$9::bigint[]")}, 0) AS run_at,
      coalesce(${MARKED("$10::bigint[]")}, 0) AS id OFFSET 0) AS mark,
      LATERAL (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = $3 AND job.tenant = lane.tenant
      AND (priority, run_at, id) >= (mark.priority, mark.run_at, mark.id) AND (${ONE_LANE} OR ${NOT_BUNDLED})
      ORDER BY priority, run_at, id LIMIT 1) AS any_job WHERE lane.stage = $3 AND lane.active AND ($5::int[] IS NULL OR lane.tenant = ANY($5::int[]))
      AND NOT (SELECT kind.paused FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind WHERE stage.id = $3)
    ORDER BY lane.turn LIMIT cardinality($4::int[])),
  serving AS MATERIALIZED (SELECT * FROM lanes WHERE $5::int[] IS NULL OR places > 0),
  share AS MATERIALIZED (SELECT greatest(1, cardinality($4::int[]) / greatest(1, count(*))) AS most FROM serving),
  picked AS MATERIALIZED (SELECT ${columns} FROM serving, share, LATERAL (SELECT ctid AS place, id, priority, run_at FROM millrace.job WHERE standing = 1 AND job.stage = $3
      AND job.tenant = serving.tenant AND (priority, run_at, id) >= (from_priority, from_run_at, from_id)
      AND (expires_at IS NULL OR expires_at > ${AT}) AND ${NOT_BUNDLED} ORDER BY priority, run_at, id
      LIMIT CASE WHEN $5::int[] IS NULL THEN share.most ELSE least(share.most, serving.places) END ${lock}) AS job),
  dealt AS MATERIALIZED (SELECT tenant, nextval('millrace.lane_turn') AS turn FROM
    (SELECT tenant FROM serving WHERE turn = 0 OR NOT ${ONE_LANE} ORDER BY turn, tenant) AS in_order),
  served AS MATERIALIZED (SELECT place, dealt.turn FROM dealt, LATERAL (SELECT ctid AS place FROM millrace.lane
    WHERE lane.stage = $3 AND lane.tenant = dealt.tenant LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS lane),
  turns AS (UPDATE millrace.lane SET turn = served.turn FROM served
    WHERE lane.ctid = ANY(ARRAY(SELECT place FROM served)) AND lane.ctid = served.place)`;

export interface Pick {
  slots: number[];
  /** The tenants whose places are locked; null: no bound on places. */
  bound: string | null;
}

/** $1 to $10 of `picked`. */
export function pickValues(core: Core, stage: StageRow, { slots, bound }: Pick): Value[] {
  const cap = core.options.limits.maxConcurrentPerTenant;
  const marks = markValues(core.marks.of(stage.id));
  return [core.clock.given, core.instances.id, stage.id, numbers(slots), bound, cap, ...marks];
}

function markValues(marks: readonly Mark[]): Value[] {
  return [
    numbers(marks.map(({ tenant }) => tenant)),
    numbers(marks.map(({ priority }) => priority)),
    numbers(marks.map(({ run_at }) => run_at)),
    numbers(marks.map(({ id }) => id)),
  ];
}

// What follows is planned once: the server would plan a claim anew each time, for longer than it runs. And it need not wait for the
// disk: a server that dies and forgets it has ready jobs again.
const SETTINGS =
  "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('synchronous_commit', 'off', true)";
const LOCK_ALONE = `SELECT ${SETTINGS}, pg_advisory_xact_lock($1::bigint)`;
const LOCK_BESIDE = `SELECT ${SETTINGS}, pg_advisory_xact_lock_shared($1::bigint)`;

/**
 * A claim that writes a bundle is alone with its stage until it has committed, those that write rows stand beside each other. To be
 * taken in a statement of its own before the claim: only what was committed when a statement began is seen by it.
 */
export function lockClaims(core: Core, stage: StageRow, { alone }: { alone: boolean }): Step {
  const key = lockKey(core.connections.target.schema, `claims ${stage.id}`);
  return { statement: alone ? LOCK_ALONE : LOCK_BESIDE, values: [key] };
}
