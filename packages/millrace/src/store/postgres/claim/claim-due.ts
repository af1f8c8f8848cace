import { SUSPECT_CRASHES } from "../../../job/crash.ts";
import { READY, SCHEDULED, SUSPECT } from "../../codes.ts";
import { HOLDS_KEY, KEYED } from "../../keys/codes.ts";
import { WAITING, wokenRunAtSql as wokenRunAt } from "../../waits/codes.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { WAKE_LANES } from "./lanes.ts";

/** How many jobs one statement lifts, so that a million that are due at once hold up no claim. */
const MOST_LIFTED = 1_000;

/**
 * Scheduled jobs stay out of the index of ready jobs until they are due. Statements that run side by side lift
 * different jobs.
 */
const LIFT = statement<{ now: Value }>(`WITH due AS MATERIALIZED (
    SELECT id
    FROM millrace.job
    WHERE standing = ${SCHEDULED} AND run_at <= ${nowBy(":now")} AND flags & ${KEYED | HOLDS_KEY} <> ${KEYED}
    ORDER BY run_at
    LIMIT ${MOST_LIFTED}
    FOR UPDATE SKIP LOCKED
  ),
  lifted AS (
    UPDATE millrace.job
    SET standing = CASE WHEN crashes >= ${SUSPECT_CRASHES} THEN ${SUSPECT} ELSE ${READY} END,
      run_at = CASE WHEN flags & ${WAITING} = 0 THEN run_at ELSE ${wokenRunAt(nowBy(":now"))} END,
      flags = flags & ~${WAITING}
    WHERE job.id = ANY(ARRAY(SELECT id FROM due))
    RETURNING job.stage, job.tenant, job.standing
  ),
  wanted AS (
    SELECT DISTINCT stage, tenant FROM lifted WHERE standing = ${READY}
  ),
  ${WAKE_LANES}
  SELECT count(*)::int AS lifted FROM lifted`);

/** Makes jobs that are due ready. True: there were some. */
export async function liftDue(
  core: Core,
  db: StatementRunner,
  now: number | null = core.clock.given,
): Promise<boolean> {
  const [row] = await db.run<{ lifted: number }>(...LIFT({ now }));
  return (row?.lifted ?? 0) > 0;
}
