import { existsSync } from "node:fs";
import { CANCELLED, COMPLETED, FAILED, REJECTED } from "../../codes.ts";
import { backupExists } from "../../decide/refusals.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { PruneAnswer } from "../../verbs/processes.ts";
import { pruneBatches } from "../batches/prune.ts";
import { IS_NEEDED } from "../children/forget.ts";
import { artifactsPath, NOBODY_AT_WORK } from "../connection/database.ts";
import { DatabaseSync } from "../connection/driver.ts";
import { createPrivately } from "../connection/file-mode.ts";
import { deleteRow } from "../control/delete.ts";
import type { Core, ReadView } from "../core.ts";
import { startStranded } from "../followers/follower.ts";
import { pruneOperations } from "../operations/prune.ts";
import { pruneRecords } from "../sharing/records.ts";
import { pruneShared } from "../sharing/share.ts";
import { pruneEvents } from "../waits/events.ts";

import { pruneOldPlans } from "./old-plans.ts";

const OLD_JOBS = `SELECT id, stage, tenant, standing, flags FROM job
  WHERE stage = ? AND standing = ? AND finished_at <= ? AND NOT (${IS_NEEDED}) ORDER BY finished_at LIMIT ?`;
const OLDEST_JOBS = `SELECT id, stage, tenant, standing, flags, finished_at FROM job
  WHERE stage = ? AND standing = ? AND finished_at IS NOT NULL AND NOT (${IS_NEEDED}) ORDER BY finished_at LIMIT ?`;
const COUNTED = `SELECT sum(completed) AS completed, sum(cancelled) AS cancelled, sum(rejected) AS rejected,
  sum(failed) AS failed FROM stage`;
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
    const { retention } = core.names.rules(stage.kind);
    const finishedMs = retention.finishedMs === "none" ? 0 : retention.finishedMs;
    for (const standing of [COMPLETED, CANCELLED, REJECTED])
      room -= pruneOlder(core, stage.id, standing, ages.before(finishedMs), room);
    room -= pruneOlder(core, stage.id, FAILED, ages.before(retention.deadLetterMs), room);
  }
  room -= pruneBeyondCount(core, [COMPLETED, CANCELLED, REJECTED], core.options.limits.jobKeepMax, room);
  room -= pruneBeyondCount(core, [FAILED], core.options.limits.dlqKeepMax, room);
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
  return drop(core, core.statement(OLD_JOBS).all(stage, standing, until, limit));
}

/** Bounds by count over all stages. The jobs whose own time would be over first go first. */
function pruneBeyondCount(core: Core, standings: number[], bound: number, limit: number): number {
  if (limit <= 0 || bound === 0) return 0;
  core.counts.flush();
  const { completed, cancelled, rejected, failed } = core.statement(COUNTED).get() as EndedCounts;
  const counts: Record<number, number> = {
    [COMPLETED]: completed,
    [CANCELLED]: cancelled,
    [REJECTED]: rejected,
    [FAILED]: failed,
  };
  const excess = Math.min(limit, standings.reduce((sum, standing) => sum + (counts[standing] ?? 0), 0) - bound);
  if (excess <= 0) return 0;
  // The oldest of each stage and standing come from its index; the first of those are the first of all.
  const oldest = core.names.allStages().flatMap(({ id, kind }) => {
    const { finishedMs, deadLetterMs } = core.names.rules(kind).retention;
    const keptMs = standings.includes(FAILED) ? deadLetterMs : finishedMs === "none" ? 0 : finishedMs;
    const rows = standings.flatMap((standing) => core.statement(OLDEST_JOBS).all(id, standing, excess));
    return rows.map((row) => ({ row, dueAt: Number(row["finished_at"]) + keptMs }));
  });
  oldest.sort((a, b) => a.dueAt - b.dueAt);
  return drop(
    core,
    oldest.slice(0, excess).map(({ row }) => row),
  );
}

type EndedCounts = Record<"completed" | "cancelled" | "rejected" | "failed", number>;

function drop(core: Core, rows: unknown[]): number {
  for (const row of rows as JobRow[]) deleteRow(core, row);
  return rows.length;
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

/** Outside a transaction. `VACUUM INTO` copies one snapshot while others go on writing. */
export function backup(core: Pick<ReadView, "db">, path: string): void {
  const targets = [path, artifactsPath(path)];
  for (const target of targets) {
    if (existsSync(target)) throw backupExists(target);
  }
  for (const target of targets) createPrivately(target);
  // Artifacts last: an artifact without its job is swept, a job without its artifact would be a loss.
  core.db.prepare("VACUUM main INTO ?").run(targets[0] as string);
  core.db.prepare("VACUUM artifacts INTO ?").run(targets[1] as string);
  const copy = new DatabaseSync(targets[0] as string);
  copy.exec(NOBODY_AT_WORK);
  copy.close();
}
