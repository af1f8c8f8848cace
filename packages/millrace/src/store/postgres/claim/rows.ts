// ROWS: a claim that writes the row of each job. SKIP LOCKED does what BEGIN IMMEDIATE does in SQLite: of several processes that
// claim at once each gets other jobs, and none waits.

import { RUNNING, SUSPECT } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { CLAIMED_COLUMNS } from "../../rows/claimed-job.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import { lockStage, MOMENT, mayStartOf, type PickParameters, pickedJobs, pickParameters } from "./pick.ts";
import type { ClaimedRow, ClaimStrategy, Round } from "./rounds.ts";

// A claim does not wait for the disk: if the server crashes and forgets it, the job is ready again. Its token must not be given
// twice, so it is no smaller than the moment in milliseconds: a lease that the server forgot is outdated.
export const START = `standing = ${RUNNING},
      token = greatest(job.token + 1, ${MOMENT}),
      holder = :holder,
      slot = (:slots::int[])[picked.n],
      attempt = job.failures + job.crashes + 1,
      started_at = ${MOMENT},
      updated_at = ${MOMENT},
      expires_at = NULL,
      progress = NULL`;

// The rows are locked, so they are found by their place in the table (ctid), without a second look-up by key. As an array, so
// that the planner does not read the whole table for them.
export const IS_PICKED = "job.ctid = ANY(ARRAY(SELECT tid FROM picked)) AND job.ctid = picked.tid";
export const RETURNED = `${listOf(CLAIMED_COLUMNS, "job")}, job.slot, job.started_at AS now, picked.tenant_name, picked.n`;

/** One row without a job says how many lanes there were, if there are no jobs. */
const CLAIM_READY = statement<PickParameters>(`WITH ${pickedJobs({
  columns: `job.tid,
      tenant_name,
      row_number() OVER (ORDER BY serving.turn, serving.tenant, job.priority, job.run_at, job.id) AS n`,
  lock: "FOR UPDATE SKIP LOCKED",
})},
  claimed AS (
    UPDATE millrace.job
    SET ${START}
    FROM picked
    WHERE ${IS_PICKED}
    RETURNING ${RETURNED}
  )
  SELECT claimed.*, (SELECT count(*)::int FROM serving) AS lanes
  FROM (SELECT 1) AS one LEFT JOIN claimed ON true`);

const OWN_MAX_RUNNING = "(SELECT max_running FROM millrace.tenant WHERE id = job.tenant)";

/** The jobs with most crashes come first, so that the members of a group that died are examined before all others. */
const CLAIM_SUSPECTS = statement<Pick<PickParameters, SuspectParameter>>(`WITH settings AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ),
  suspects AS MATERIALIZED (
    SELECT job.ctid AS tid,
      job.id,
      crashes,
      priority,
      run_at,
      (SELECT name FROM millrace.tenant WHERE id = job.tenant) AS tenant_name
    FROM settings, millrace.job
    WHERE standing = ${SUSPECT} AND job.stage = :stage
      AND (:tenants::int[] IS NULL
        OR (job.tenant = ANY(:tenants::int[]) AND ${mayStartOf(OWN_MAX_RUNNING, "job.tenant")} > 0))
      AND (:tenants::int[] IS NOT NULL OR coalesce(${OWN_MAX_RUNNING}, 0) = 0)
    ORDER BY crashes DESC, priority, run_at, job.id
    LIMIT cardinality(:slots::int[])
    FOR UPDATE OF job SKIP LOCKED
  ),
  picked AS MATERIALIZED (
    SELECT tid, tenant_name, row_number() OVER (ORDER BY crashes DESC, priority, run_at, id) AS n
    FROM suspects
  )
  UPDATE millrace.job
  SET ${START}
  FROM picked
  WHERE ${IS_PICKED}
  RETURNING ${RETURNED}`);

type SuspectParameter = "now" | "holder" | "stage" | "slots" | "tenants" | "maxRunning";

export interface NumberedRow extends ClaimedRow {
  /** The position among the jobs of the statement, whose rows come in any order. */
  n: number;
}

/** Suits every claim. */
export const rows: ClaimStrategy = {
  suits: () => true,
  async claim(core, stage, slots) {
    const claim = CLAIM_READY(pickParameters(core, stage, slots));
    const [, found] = await core.connections.write.together({
      transaction: [lockStage(core, stage, { alone: false }), claim],
    });
    return roundOf(found as ReadyRow[]);
  },
};

/**
 * Claims by rows in a transaction that holds the locks of these tenants' limits. `tenants` is missing if there are no
 * such limits.
 */
export async function claimReadyIn(
  tx: StatementRunner,
  core: Core,
  stage: StageRow,
  slots: number[],
  tenants?: number[],
): Promise<Round> {
  return roundOf(await tx.run<ReadyRow>(...CLAIM_READY(pickParameters(core, stage, slots, tenants))));
}

export async function claimSuspects(
  db: StatementRunner,
  core: Core,
  stage: StageRow,
  slots: number[],
  tenants?: number[],
): Promise<ClaimedRow[]> {
  return inOrder(await db.run<NumberedRow>(...CLAIM_SUSPECTS(pickParameters(core, stage, slots, tenants))));
}

type ReadyRow = NumberedRow & { lanes: number };

function roundOf(found: ReadyRow[]): Round {
  const lanes = found[0]?.lanes ?? 0;
  return found[0]?.id === null ? { rows: [], lanes } : { rows: inOrder(found), lanes };
}

export function inOrder<Row extends NumberedRow>(found: Row[]): Row[] {
  return found.sort((a, b) => a.n - b.n);
}
