import {
  type AuditRow,
  auditEntryOf,
  type KeyRow,
  keyOf,
  keyValues,
  MOST_AUDIT_ENTRIES,
} from "../../rows/access-rows.ts";
import type { ApiKey, AuditEntry, AuditPage, NewAuditEntry } from "../../verbs/access.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";

const ADD_KEY = `INSERT INTO millrace.api_key (id, name, tenant, scopes, secret_hash, created_at, expires_at, revoked_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const KEYS = 'SELECT * FROM millrace.api_key ORDER BY created_at DESC, id COLLATE "C"';
const KEY = "SELECT * FROM millrace.api_key WHERE id = $1";
const REVOKE_KEY = `UPDATE millrace.api_key SET revoked_at = ${NOW} WHERE id = $2 AND revoked_at IS NULL RETURNING id`;
const ADD_AUDIT = `INSERT INTO millrace.audit (at, who, what, target, tenant, trace) VALUES (${NOW}, $2, $3, $4, $5, $6) RETURNING id`;
const DROP_AUDIT = "DELETE FROM millrace.audit WHERE id <= $1";
const AUDIT =
  "SELECT id, at, who, what, target, tenant, trace FROM millrace.audit WHERE id < $1 ORDER BY id DESC LIMIT $2";
const AUDIT_OF_TENANT = `SELECT id, at, who, what, target, tenant, trace FROM millrace.audit
  WHERE tenant = $3 AND id < $1 ORDER BY id DESC LIMIT $2`;

export async function putKey(core: Core, key: ApiKey): Promise<void> {
  await core.connections.write.run(ADD_KEY, keyValues(key));
}

export async function keys(core: Core, id?: string): Promise<ApiKey[]> {
  const db = core.connections.write;
  const rows = id === undefined ? await db.run<KeyRow>(KEYS, []) : await db.run<KeyRow>(KEY, [id]);
  return rows.map(keyOf);
}

export async function revokeKey(core: Core, id: string): Promise<boolean> {
  return (await core.connections.write.run(REVOKE_KEY, [core.clock.given, id])).length > 0;
}

export async function addAudit(core: Core, { who, what, target, tenant, traceId }: NewAuditEntry): Promise<void> {
  const bound = [core.clock.given, who, what, target ?? null, tenant ?? null, traceId ?? null];
  const [row] = await core.connections.write.run<{ id: number }>(ADD_AUDIT, bound);
  const id = row?.id ?? 0;
  if (id % 100 === 0) await core.connections.write.run(DROP_AUDIT, [id - MOST_AUDIT_ENTRIES]);
}

export async function audit(core: Core, { limit, beforeId, tenant }: AuditPage): Promise<AuditEntry[]> {
  const before = beforeId ?? Number.MAX_SAFE_INTEGER;
  const rows = await core.connections.read.run<AuditRow>(
    tenant === undefined ? AUDIT : AUDIT_OF_TENANT,
    tenant === undefined ? [before, limit] : [before, limit, tenant],
  );
  return rows.map(auditEntryOf);
}
