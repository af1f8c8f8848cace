// Many processes write at once, so every check of a version is part of the statement that writes. SQLite has one writer
// and looks first.

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
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const LIVES = `(expires_at IS NULL OR expires_at > ${NOW})`;
const FIND = `SELECT key, value, version, updated_at AS "updatedAt", expires_at AS "expiresAt" FROM millrace.record
  WHERE space = $2 AND tenant = $3 AND key = $4 AND ${LIVES}`;
const FIND_VERSION = `SELECT version FROM millrace.record WHERE space = $2 AND tenant = $3 AND key = $4 AND ${LIVES}`;
const DURABLY = "WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', $2, true))";
const WRITTEN = `RETURNING version, updated_at AS "updatedAt", expires_at AS "expiresAt"`;
// DEFAULT is drawn under the row's lock: versions of one record grow in the order of its writes.
const PUT = `${DURABLY} INSERT INTO millrace.record AS kept (space, tenant, key, value, updated_at, expires_at)
  SELECT $3, $4, $5, $6, ${NOW}, coalesce($7::bigint, ${NOW} + $8::bigint) FROM settings
  ON CONFLICT (space, tenant, key) DO UPDATE SET version = DEFAULT, value = excluded.value,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at ${WRITTEN}`;
const ADD = `${DURABLY} INSERT INTO millrace.record AS kept (space, tenant, key, value, updated_at, expires_at)
  SELECT $3, $4, $5, $6, ${NOW}, coalesce($7::bigint, ${NOW} + $8::bigint) FROM settings
  ON CONFLICT (space, tenant, key) DO UPDATE SET version = DEFAULT, value = excluded.value,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at WHERE kept.expires_at <= ${NOW} ${WRITTEN}`;
const REPLACE = `${DURABLY} UPDATE millrace.record SET version = DEFAULT, value = $6, updated_at = ${NOW},
    expires_at = coalesce($7::bigint, ${NOW} + $8::bigint) FROM settings
  WHERE space = $3 AND tenant = $4 AND key = $5 AND version = $9 AND ${LIVES} ${WRITTEN}`;
const DELETE = `${DURABLY} DELETE FROM millrace.record USING settings
  WHERE space = $3 AND tenant = $4 AND key = $5 AND ($6::bigint IS NULL OR version = $6) AND ${LIVES} RETURNING version`;
const LIST = `SELECT key, value, version, updated_at AS "updatedAt", expires_at AS "expiresAt" FROM millrace.record
  WHERE space = $2 AND tenant = $3 AND ${LIVES} AND key >= $4 ORDER BY key LIMIT $5`;
const LIST_BELOW = `SELECT key, value, version, updated_at AS "updatedAt", expires_at AS "expiresAt" FROM millrace.record
  WHERE space = $2 AND tenant = $3 AND ${LIVES} AND key >= $4 AND key < $6 ORDER BY key LIMIT $5`;
const DROP_EXPIRED = `DELETE FROM millrace.record WHERE ctid = ANY(ARRAY(SELECT ctid FROM millrace.record
  WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING version`;

const MOST_TRIES = 10;

type WrittenRow = Pick<RecordRow, "version" | "updatedAt" | "expiresAt">;

export async function findRecord(core: Core, { space, tenant, key }: RecordName): Promise<RecordEntry | undefined> {
  const [row] = await core.connections.write.run<RecordRow>(FIND, [core.clock.given, space, tenant, key]);
  return row && recordOf(row);
}

export async function putRecord(core: Core, record: NewRecord): Promise<RecordVersion | RecordConflict> {
  const { space, tenant, key, value, ifVersion, expiresAt, expiresInMs } = record;
  const values = [
    core.clock.given,
    core.durable(true),
    space,
    tenant,
    key,
    value,
    expiresAt ?? null,
    expiresInMs ?? null,
  ];
  for (let tries = 1; ; tries++) {
    const [row] = await core.connections.write.run<WrittenRow>(
      ifVersion === undefined ? PUT : ifVersion === 0 ? ADD : REPLACE,
      ifVersion === undefined || ifVersion === 0 ? values : [...values, ifVersion],
    );
    if (row) return writtenOf(row);
    const conflict = await versionOf(core, record);
    // Otherwise the record that stopped ADD has been deleted since.
    if (conflict !== ifVersion || tries >= MOST_TRIES) return { conflict };
  }
}

export async function deleteRecord(core: Core, name: RecordName, ifVersion?: number): Promise<DeleteRecordAnswer> {
  const { space, tenant, key } = name;
  const values = [core.clock.given, core.durable(true), space, tenant, key, ifVersion ?? null];
  if ((await core.connections.write.run(DELETE, values)).length > 0) return true;
  const conflict = ifVersion === undefined ? 0 : await versionOf(core, name);
  return conflict > 0 && { conflict };
}

/** 0 means that there is no such record. */
async function versionOf(core: Core, { space, tenant, key }: RecordName): Promise<number> {
  const values = [core.clock.given, space, tenant, key];
  const [row] = await core.connections.write.run<{ version: number }>(FIND_VERSION, values);
  return row?.version ?? 0;
}

function writtenOf({ version, updatedAt, expiresAt }: WrittenRow): RecordVersion {
  return { version, updatedAt, ...(expiresAt !== null && { expiresAt }) };
}

export function listRecords(core: Core, { space, tenant, limit, ...filter }: RecordFilter): Promise<RecordEntry[]> {
  const { from, below } = keyRange(filter);
  const values = [core.clock.given, space, tenant, from, limit];
  return core.connections.lists.run(tenant, async (db) => {
    const rows =
      below === undefined
        ? await db.run<RecordRow>(LIST, values)
        : await db.run<RecordRow>(LIST_BELOW, [...values, below]);
    return rows.map(recordOf);
  });
}

export async function pruneRecords(tx: StatementRunner, now: number, limit: number): Promise<number> {
  return (await tx.run(DROP_EXPIRED, [now, limit])).length;
}
