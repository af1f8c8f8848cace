import { SUSPECT_CRASHES } from "../../../job/crash.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { WAKE_LANES } from "./lanes.ts";

// Scheduled jobs stay out of the ready index until due; 1,000 a pass, so that a million at once hold up nobody. Of
// several who lift at once each takes others.
const LIFT = `WITH due AS MATERIALIZED (SELECT id FROM millrace.job WHERE standing = 0 AND run_at <= ${NOW}
    ORDER BY run_at LIMIT 1000 FOR UPDATE SKIP LOCKED),
  lifted AS (UPDATE millrace.job SET standing = CASE WHEN crashes >= ${SUSPECT_CRASHES} THEN 2 ELSE 1 END WHERE job.id = ANY(ARRAY(SELECT id FROM due))
    RETURNING job.stage, job.tenant, job.standing),
  wanted AS (SELECT DISTINCT stage, tenant FROM lifted WHERE standing = 1),
  ${WAKE_LANES}
  SELECT count(*)::int AS lifted FROM lifted`;

export async function liftDue(core: Core, db: Runner, now: number | null = core.clock.given): Promise<boolean> {
  const [row] = await db.run<{ lifted: number }>(LIFT, [now]);
  return (row?.lifted ?? 0) > 0;
}
