// WEIGHTED: a round of a bounded claim where tenants have weights (decide/limits/turns.ts). No other transaction claims from the
// stage, so that the turns of several processes follow each other.

import { READY } from "../../codes.ts";
import { afterTurn, type LaneShare, sharesOf, UNLIMITED_STARTS } from "../../decide/limits/turns.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import { MOMENT, mayStartOf, NOT_BUNDLED } from "./pick.ts";
import type { Round } from "./rounds.ts";
import { IS_PICKED, inOrder, type NumberedRow, RETURNED, START } from "./rows.ts";

const READY_JOBS = (lane: string) => `SELECT ctid AS tid, id, priority, run_at
        FROM millrace.job
        WHERE standing = ${READY} AND job.stage = :stage AND job.tenant = ${lane}.tenant
          AND (expires_at IS NULL OR expires_at > ${MOMENT})
          AND ${NOT_BUNDLED}
        ORDER BY priority, run_at, id`;

const FIND_LANES = statement<LaneParameters>(`SELECT lane.tenant,
    lane.taken,
    coalesce(tenant.weight, 1) AS weight,
    CASE WHEN :tenants::int[] IS NULL THEN ${UNLIMITED_STARTS} ELSE ${mayStartOf("tenant.max_running", "lane.tenant")} END::int AS "mayStart"
  FROM millrace.lane,
    LATERAL (
      SELECT weight, max_running
      FROM millrace.tenant
      WHERE id = lane.tenant AND (:tenants::int[] IS NOT NULL OR coalesce(max_running, 0) = 0)
      LIMIT 1
    ) AS tenant,
    LATERAL (${READY_JOBS("lane")} LIMIT 1) AS any_job
  WHERE lane.stage = :stage AND lane.active AND (:tenants::int[] IS NULL OR lane.tenant = ANY(:tenants::int[]))
  ORDER BY lane.turn, lane.tenant
  LIMIT :room`);

const CLAIM = statement<ClaimParameters>(`WITH shares AS MATERIALIZED (
    SELECT tenant, most, place, (SELECT name FROM millrace.tenant WHERE id = tenant) AS tenant_name
    FROM unnest(:shareTenants::int[], :most::int[]) WITH ORDINALITY AS t (tenant, most, place)
  ),
  picked AS MATERIALIZED (
    SELECT job.tid, tenant_name, row_number() OVER (ORDER BY place, priority, run_at, id) AS n
    FROM shares, LATERAL (${READY_JOBS("shares")} LIMIT shares.most FOR UPDATE SKIP LOCKED) AS job
  )
  UPDATE millrace.job
  SET ${START}
  FROM picked
  WHERE ${IS_PICKED}
  RETURNING ${RETURNED}`);

/** The lanes that stay in front keep their turns. A lane that another transaction is waking is left alone, so that neither waits. */
const SET_LANES = statement<SetParameters>(`WITH dealt AS MATERIALIZED (
    SELECT tenant, taken, CASE WHEN is_over THEN nextval('millrace.lane_turn') END AS turn
    FROM (
      SELECT * FROM unnest(:served::int[], :taken::float8[], :over::boolean[]) WITH ORDINALITY AS t (tenant, taken, is_over, place)
      ORDER BY place
    ) AS in_order
  ),
  served AS MATERIALIZED (
    SELECT lane.tid, dealt.turn, dealt.taken
    FROM dealt,
      LATERAL (
        SELECT ctid AS tid
        FROM millrace.lane
        WHERE lane.stage = :stage AND lane.tenant = dealt.tenant
        LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS lane
  )
  UPDATE millrace.lane
  SET turn = coalesce(served.turn, lane.turn), taken = served.taken
  FROM served
  WHERE lane.ctid = ANY(ARRAY(SELECT tid FROM served)) AND lane.ctid = served.tid`);

interface LaneParameters {
  now: Value;
  stage: number;
  tenants: Value;
  maxRunning: number;
  room: number;
}

interface ClaimParameters {
  now: Value;
  stage: number;
  holder: number;
  slots: string;
  shareTenants: string;
  most: string;
}

interface SetParameters {
  stage: number;
  served: string;
  taken: string;
  over: string;
}

interface WeightedRequest {
  slots: number[];
  /** The tenants that may start jobs. Their limits are locked. Undefined: no tenant has a limit. */
  tenants: number[] | undefined;
  leastWeight: number;
}

export async function claimByWeight(
  tx: StatementRunner,
  core: Core,
  stage: StageRow,
  { slots, tenants, leastWeight }: WeightedRequest,
): Promise<Round> {
  const { given } = core.clock;
  const room = slots.length;
  const lanes = await tx.run<LaneShare["lane"]>(
    ...FIND_LANES({
      now: given,
      stage: stage.id,
      tenants: tenants === undefined ? null : numbers(tenants),
      maxRunning: core.options.limits.maxConcurrentPerTenant,
      room,
    }),
  );
  const shares = sharesOf(
    lanes.filter(({ mayStart }) => mayStart > 0),
    { room, leastWeight },
  );
  if (shares.length === 0) return { rows: [], lanes: 0 };
  const claimed = await tx.run<NumberedRow>(
    ...CLAIM({
      now: given,
      stage: stage.id,
      holder: core.instances.id,
      slots: numbers(slots),
      shareTenants: numbers(shares.map(({ lane }) => lane.tenant)),
      most: numbers(shares.map(({ jobs }) => jobs)),
    }),
  );
  await setLanes(tx, stage, shares, claimed);
  return { rows: inOrder(claimed), lanes: shares.length };
}

async function setLanes(
  tx: StatementRunner,
  stage: StageRow,
  shares: readonly LaneShare[],
  claimed: readonly NumberedRow[],
): Promise<void> {
  const counts = new Map<number, number>();
  for (const { tenant } of claimed) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  const served = shares.map((share) => afterTurn(share, counts.get(share.lane.tenant) ?? 0));
  await tx.run(
    ...SET_LANES({
      stage: stage.id,
      served: numbers(served.map(({ tenant }) => tenant)),
      taken: numbers(served.map(({ taken }) => taken)),
      over: `{${served.map(({ isOver }) => isOver).join(",")}}`,
    }),
  );
}
