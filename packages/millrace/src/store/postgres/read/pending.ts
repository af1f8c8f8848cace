// The pending jobs of each stage by what they wait for. Live jobs are few, so one pass over them counts all.

import { HELD, READY, RUNNING, SCHEDULED, SUSPECT } from "../../codes.ts";
import type { PendingTally } from "../../verbs/processes.ts";
import { HAS_FAILED, IS_RETRYING, IS_WAITING } from "../../waits/counted.ts";
import { hasCaps } from "../claim/bounded.ts";
import { NOT_BUNDLED } from "../claim/pick.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { runningLimits } from "../keys/room.ts";
import type { StageRow } from "../register/names.ts";
import { isPaceSpent } from "./circumstances.ts";

const RUNNING_BY_TENANT = `SELECT tenant, count(*) AS running FROM millrace.job
  WHERE standing = ${RUNNING} OR (standing = ${READY} AND NOT (${NOT_BUNDLED})) GROUP BY tenant`;
/** The tenants that run as many jobs as they may. `$2` is the limit of those without one of their own; -1: no tenant has a limit. */
const AT_LIMIT = `SELECT tenant.id FROM millrace.tenant JOIN (${RUNNING_BY_TENANT}) AS counted ON counted.tenant = tenant.id
  WHERE $2::int >= 0 AND coalesce(max_running, $2::int) > 0 AND running >= coalesce(max_running, $2::int)`;
const IS_DUE = `standing IN (${READY}, ${SUSPECT})`;
const PENDING = `WITH at_limit AS MATERIALIZED (${AT_LIMIT})
  SELECT stage,
    count(*) FILTER (WHERE standing = ${HELD})::bigint AS held,
    count(*) FILTER (WHERE standing = ${SCHEDULED})::bigint AS scheduled,
    count(*) FILTER (WHERE ${IS_DUE})::bigint AS due,
    count(*) FILTER (WHERE ${IS_WAITING})::bigint AS waiting,
    count(*) FILTER (WHERE ${IS_RETRYING} AND standing = ${SCHEDULED})::bigint AS "retryingLater",
    count(*) FILTER (WHERE ${IS_RETRYING} AND ${IS_DUE})::bigint AS "retryingNow",
    count(*) FILTER (WHERE standing = ${READY} AND NOT (${HAS_FAILED}) AND tenant IN (SELECT id FROM at_limit))::bigint AS "tenantAtLimit"
  FROM millrace.job
  WHERE standing < ${RUNNING} AND ($1::int IS NULL OR tenant = $1) AND (standing <> ${READY} OR ${NOT_BUNDLED})
  GROUP BY stage`;

type PendingRow = Omit<PendingTally, "kind" | "stage" | "isLimited"> & { stage: number };

export async function pending(core: Core, tenant?: string): Promise<PendingTally[]> {
  const id = tenant === undefined ? null : ((await core.names.findTenant(tenant)) ?? -1);
  const usual = hasCaps(core) ? core.options.limits.maxConcurrentPerTenant : -1;
  const db = core.connections.read;
  const rows = await db.run<PendingRow>(PENDING, [id, usual]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  return Promise.all(
    rows.map(async ({ stage: key, ...counts }) => {
      const stage = core.names.stage(key);
      const isLimited = counts.due > 0 && (await isStageLimited(core, db, stage));
      return { kind: stage.kindName, stage: stage.name, ...counts, isLimited };
    }),
  );
}

const CLOCK = `SELECT ${NOW} AS now`;

async function isStageLimited(core: Core, db: StatementRunner, stage: StageRow): Promise<boolean> {
  const limits = await runningLimits(core, db, stage.kind);
  if (limits.some(({ total, running }) => running >= total)) return true;
  if (!core.names.stageRules(stage).pace) return false;
  const [moment] = await db.run<{ now: number }>(CLOCK, [core.clock.given]);
  return isPaceSpent(core, db, stage, moment?.now as number);
}
