import { CANCELLED, COMPLETED, FAILED, REJECTED } from "../../codes.ts";
import { keptMs } from "../../decide/settlement.ts";
import type { PruneAnswer } from "../../verbs/processes.ts";
import { pruneBatches } from "../batches/prune.ts";
import { IS_NEEDED } from "../children/forget.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { deleteBelongings } from "../control/delete.ts";
import type { Core } from "../core.ts";
import { startStranded } from "../followers/follower.ts";
import { pruneOperations } from "../operations/prune.ts";
import { adoptPlanless } from "../register/planless.ts";
import { pruneRecords } from "../sharing/records.ts";
import { pruneShared } from "../sharing/share.ts";
import { pruneEvents } from "../waits/events.ts";
import { pruneOldPlans } from "./old-plans.ts";
import { pruneBeyond } from "./prune-beyond.ts";

const THE_MOMENT = `SELECT ${NOW} AS now`;
// Chosen once and then deleted: as a subquery, the choice could be made again for every row.
const OLD_JOBS = `WITH old AS MATERIALIZED (SELECT id FROM millrace.finished
    WHERE stage = $1 AND standing = $2 AND finished_at <= $3 AND NOT (${IS_NEEDED}) ORDER BY finished_at LIMIT $4 FOR UPDATE SKIP LOCKED)
  DELETE FROM millrace.finished WHERE id = ANY(ARRAY(SELECT id FROM old)) RETURNING id, flags`;
const OLD_IDEMPOTENCY = `DELETE FROM millrace.idempotency WHERE ctid = ANY(ARRAY(SELECT ctid FROM millrace.idempotency
  WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING tenant`;
/** What submissions in callers' transactions wrote beside their jobs, once it is not needed. */
const OLD_JOINED = `DELETE FROM millrace.joined WHERE ctid = ANY(ARRAY(SELECT joined.ctid FROM millrace.joined
  LEFT JOIN LATERAL (SELECT true AS there FROM millrace.job WHERE job.id = joined.job LIMIT 1) AS live ON true
  WHERE there IS NULL LIMIT $1)) RETURNING job`;
const OLD_THROTTLES = `DELETE FROM millrace.throttle WHERE ctid = ANY(ARRAY(SELECT ctid FROM millrace.throttle
  WHERE until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING tenant`;
const OLD_WINDOWS = `DELETE FROM millrace.window_caller WHERE ctid = ANY(ARRAY(SELECT ctid FROM millrace.window_caller
  WHERE at <= $1 LIMIT $2)) RETURNING owner`;
/** The period of the rate that all tenants have. */
const RATE_WINDOW_MS = 60_000;
// A term that ends later than any term can was set before the clock was set back.
const LEAD = `INSERT INTO millrace.meta (name, value) VALUES ('leader', $2::text || ' ' || (${NOW} + $3::bigint)::text)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value
  WHERE split_part(meta.value, ' ', 1) = $2::text OR split_part(meta.value, ' ', 2)::bigint <= ${NOW}
    OR split_part(meta.value, ' ', 2)::bigint > ${NOW} + $3::bigint RETURNING value`;

/** One small batch, so that it takes a few milliseconds and vacuum keeps up. */
export async function prune(core: Core, { limit }: { limit: number }): Promise<PruneAnswer> {
  await core.names.load();
  await adoptPlanless(core);
  const { deleted } = await pruneOld(core, limit);
  const beyond = await pruneBeyond(core, limit - deleted);
  if (deleted + beyond < limit) await pruneOldPlans(core, limit);
  return { deleted: deleted + beyond, more: deleted + beyond >= limit };
}

function pruneOld(core: Core, limit: number): Promise<{ deleted: number }> {
  return core.connections.write.transact(async (tx) => {
    const [moment] = await tx.run<{ now: number }>(THE_MOMENT, [core.clock.given]);
    const now = moment?.now as number;
    const { ages } = core;
    let room = limit;
    const older = async (stage: number, standing: number, until: number) => {
      if (room > 0) room -= await drop(tx, await tx.run(OLD_JOBS, [stage, standing, until, room]));
    };
    for (const stage of core.names.allStages()) {
      const rules = core.names.rules(stage.kind);
      for (const standing of [COMPLETED, CANCELLED, REJECTED, FAILED])
        await older(stage.id, standing, ages.before(keptMs(rules, standing)));
    }
    const { idempotencyMs } = core.options.limits;
    if (room > 0) room -= await pruneShared(core, tx, now, room);
    if (room > 0) room -= await pruneRecords(tx, now, room);
    if (room > 0) room -= await pruneEvents(core, tx, room);
    if (room > 0) room -= await pruneBatches(core, tx, room);
    if (room > 0) room -= await pruneOperations(core, tx, now, room);
    if (room > 0) room -= await startStranded(core, tx, room, now);
    if (room > 0) room -= (await tx.run(OLD_THROTTLES, [now, room])).length;
    if (room > 0) room -= (await tx.run(OLD_JOINED, [room])).length;
    const countedMs = Math.max(RATE_WINDOW_MS, core.names.ownLimits.longestRateMs);
    if (room > 0) room -= (await tx.run(OLD_WINDOWS, [now - countedMs, room])).length;
    if (room > 0) room -= (await tx.run(OLD_IDEMPOTENCY, [ages.before(idempotencyMs), room])).length;
    return { deleted: limit - room };
  });
}

async function drop(tx: StatementRunner, deleted: { id: number; flags: number }[]): Promise<number> {
  await deleteBelongings(tx, deleted);
  return deleted.length;
}

/**
 * Upkeep runs in one process at a time, to save work. Every statement is guarded by itself, so two at a time would do
 * no harm.
 */
export async function lead(core: Core, forMs: number): Promise<boolean> {
  const rows = await core.connections.write.run(LEAD, [core.clock.given, String(core.instances.id), forMs]);
  return rows.length > 0;
}
