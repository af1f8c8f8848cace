import { CANCELLED, COMPLETED, FAILED, REJECTED } from "../../codes.ts";
import { keptMs } from "../../decide/settlement.ts";
import type { PruneAnswer } from "../../verbs/processes.ts";
import { pruneBatches } from "../batches/prune.ts";
import { IS_NEEDED } from "../children/forget.ts";
import { deleteRows } from "../control/delete.ts";
import type { Core, ReadView } from "../core.ts";
import { startStranded } from "../followers/follower.ts";
import { pruneOperations } from "../operations/prune.ts";
import { pruneRecords } from "../sharing/records.ts";
import { pruneShared } from "../sharing/share.ts";
import { pruneEvents } from "../waits/events.ts";
import { pruneOldPlans } from "./old-plans.ts";
import { pruneBeyond } from "./prune-beyond.ts";

const OLD_JOBS = `SELECT id, stage, tenant, standing, flags FROM job
  WHERE stage = ? AND standing = ? AND finished_at <= ? AND NOT (${IS_NEEDED}) ORDER BY finished_at LIMIT ?`;
const OLD_IDEMPOTENCY = `DELETE FROM idempotency WHERE (tenant, key) IN
  (SELECT tenant, key FROM idempotency WHERE created_at <= ? LIMIT ?)`;
const OLD_THROTTLES = `DELETE FROM throttle WHERE (kind, tenant, key) IN
  (SELECT kind, tenant, key FROM throttle WHERE until <= ? LIMIT ?)`;
const LEADER = "SELECT value FROM meta WHERE name = 'leader'";
const SET_LEADER = "INSERT OR REPLACE INTO meta (name, value) VALUES ('leader', ?)";
const FREE_PAGES = { main: "PRAGMA main.freelist_count", artifacts: "PRAGMA artifacts.freelist_count" };
/** Up to 64 MiB of free pages are kept for reuse. More are given back to the disk a little at a time. */
const FREE_PAGES_KEPT = 16_384;

/** One small batch, so that the write lock lasts a few milliseconds and claims come between. */
export function prune(core: Core, { limit }: { limit: number }): PruneAnswer {
  const { ages } = core;
  let room = limit;
  for (const stage of core.names.allStages()) {
    const rules = core.names.rules(stage.kind);
    for (const standing of [COMPLETED, CANCELLED, REJECTED, FAILED])
      room -= pruneOlder(core, stage.id, standing, ages.before(keptMs(rules, standing)), room);
  }
  room -= pruneBeyond(core, room);
  room -= pruneShared(core, room);
  room -= pruneRecords(core, room);
  room -= pruneEvents(core, room);
  room -= pruneBatches(core, room);
  room -= pruneOperations(core, room);
  room -= startStranded(core, Math.max(0, room));
  room -= Number(core.statement(OLD_THROTTLES).run(core.clock.now(), Math.max(0, room)).changes);
  const { idempotencyMs } = core.options.limits;
  room -= Number(core.statement(OLD_IDEMPOTENCY).run(ages.before(idempotencyMs), Math.max(0, room)).changes);
  if (room > 0) pruneOldPlans(core, limit);
  return { deleted: limit - room, more: room <= 0 };
}

function pruneOlder(core: Core, stage: number, standing: number, until: number, limit: number): number {
  if (limit <= 0) return 0;
  return deleteRows(core, core.statement(OLD_JOBS).all(stage, standing, until, limit));
}

/**
 * Upkeep runs in one process at a time, to save work. Every statement is guarded by itself, so two at a time would do
 * no harm.
 */
export function lead(core: Core, forMs: number): boolean {
  const now = core.clock.now();
  if (anotherLeads(core, forMs)) return false;
  core.statement(SET_LEADER).run(JSON.stringify({ instance: core.instances.id, until: now + forMs }));
  return true;
}

export function idleLead(core: Core, forMs: number): { answer: boolean } | undefined {
  return anotherLeads(core, forMs) ? { answer: false } : undefined;
}

function anotherLeads(core: Core, forMs: number): boolean {
  const now = core.clock.now();
  const row = core.statement(LEADER).get() as { value: string } | undefined;
  const leader = row && (JSON.parse(row.value) as { instance: number; until: number });
  // A term that ends later than any term can was set before the clock was set back.
  return (
    leader !== undefined && leader.instance !== core.instances.id && leader.until > now && leader.until <= now + forMs
  );
}

/** Outside a transaction. Gives pages back that pruning has freed. */
export function releaseFreePages(core: Core): void {
  for (const file of ["main", "artifacts"] as const) {
    const { freelist_count } = core.statement(FREE_PAGES[file]).get() as { freelist_count: number };
    if (freelist_count > FREE_PAGES_KEPT) core.db.exec(`PRAGMA ${file}.incremental_vacuum(2000)`);
  }
}

/** Outside a transaction. Empties the WAL, unless a connection still reads from it. */
export function truncateWal({ db }: Pick<ReadView, "db">): void {
  for (const file of ["main", "artifacts"]) db.prepare(`PRAGMA ${file}.wal_checkpoint(TRUNCATE)`).get();
}
