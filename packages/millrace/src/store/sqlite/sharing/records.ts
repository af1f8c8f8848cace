import { AppError } from "../../../lib/app-error.ts";
import { keyRange, type RecordRow, recordOf } from "../../rows/record-rows.ts";
import type {
  DeleteRecordAnswer,
  NewRecord,
  RecordConflict,
  RecordEntry,
  RecordFilter,
  RecordName,
  RecordVersion,
} from "../../verbs/records.ts";
import type { Core, ReadView } from "../core.ts";

const FIND = `SELECT key, value, version, updated_at AS updatedAt, expires_at AS expiresAt FROM record
  WHERE space = ? AND tenant = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)`;
const FIND_VERSION = `SELECT version FROM record
  WHERE space = ? AND tenant = ? AND key = ? AND (expires_at IS NULL OR expires_at > ?)`;
// A replaced row gets a new id: its version.
const PUT = `INSERT OR REPLACE INTO record (space, tenant, key, updated_at, expires_at, value) VALUES (?, ?, ?, ?, ?, ?)
  RETURNING version`;
const DELETE = "DELETE FROM record WHERE version = ?";
const LIST = `SELECT key, value, version, updated_at AS updatedAt, expires_at AS expiresAt FROM record
  WHERE space = ? AND tenant = ? AND (expires_at IS NULL OR expires_at > ?) AND key >= ? ORDER BY key LIMIT ?`;
const LIST_BELOW = `SELECT key, value, version, updated_at AS updatedAt, expires_at AS expiresAt FROM record
  WHERE space = ? AND tenant = ? AND (expires_at IS NULL OR expires_at > ?) AND key >= ? AND key < ? ORDER BY key LIMIT ?`;
const DROP_EXPIRED = `DELETE FROM record WHERE version IN
  (SELECT version FROM record WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`;

export function findRecord(core: ReadView, { space, tenant, key }: RecordName): RecordEntry | undefined {
  const row = core.statement(FIND).get(space, tenant, key, core.clock.now()) as RecordRow | undefined;
  return row && recordOf(row);
}

export function putRecord(core: Core, record: NewRecord): RecordVersion | RecordConflict {
  // Refused like submissions, because the reserve of a full disk is for running jobs.
  if (core.room.full) throw new AppError("disk-full", "The disk is full.", { hint: "Free some space." });
  const { space, tenant, key, value, ifVersion, expiresInMs } = record;
  const now = core.clock.now();
  if (ifVersion !== undefined) {
    const current = versionOf(core, record, now);
    if (current !== ifVersion) return { conflict: current };
  }
  const expiresAt = record.expiresAt ?? (expiresInMs === undefined ? null : now + expiresInMs);
  const written = core.statement(PUT).get(space, tenant, key, now, expiresAt, value) as { version: number };
  return { version: written.version, updatedAt: now, ...(expiresAt !== null && { expiresAt }) };
}

export function deleteRecord(core: Core, name: RecordName, ifVersion?: number): DeleteRecordAnswer {
  const current = versionOf(core, name, core.clock.now());
  if (current === 0) return false;
  if (ifVersion !== undefined && current !== ifVersion) return { conflict: current };
  core.statement(DELETE).run(current);
  return true;
}

/** 0 means that there is no such record. */
function versionOf(core: Core, { space, tenant, key }: RecordName, now: number): number {
  const row = core.statement(FIND_VERSION).get(space, tenant, key, now) as { version: number } | undefined;
  return row?.version ?? 0;
}

export function listRecords(core: ReadView, { space, tenant, limit, ...filter }: RecordFilter): RecordEntry[] {
  const { from, below } = keyRange(filter);
  const now = core.clock.now();
  const rows =
    below === undefined
      ? core.statement(LIST).all(space, tenant, now, from, limit)
      : core.statement(LIST_BELOW).all(space, tenant, now, from, below, limit);
  return (rows as unknown as RecordRow[]).map(recordOf);
}

export function pruneRecords(core: Core, limit: number): number {
  if (limit <= 0) return 0;
  return Number(core.statement(DROP_EXPIRED).run(core.clock.now(), limit).changes);
}
