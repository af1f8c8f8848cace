import {
  type AuditRow,
  auditEntryOf,
  type KeyRow,
  keyOf,
  keyValues,
  MOST_AUDIT_ENTRIES,
} from "../../rows/access-rows.ts";
import type { ApiKey, AuditEntry, AuditPage, NewAuditEntry } from "../../verbs/access.ts";
import type { Core, ReadView } from "../core.ts";

const ADD_KEY = `INSERT INTO api_key (id, name, tenant, scopes, secret_hash, created_at, expires_at, revoked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const KEYS = "SELECT * FROM api_key ORDER BY created_at DESC, id";
const KEY = "SELECT * FROM api_key WHERE id = ?";
const REVOKE_KEY = "UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
const ADD_AUDIT = "INSERT INTO audit (at, who, what, target, tenant, trace) VALUES (?, ?, ?, ?, ?, ?) RETURNING id";
const DROP_AUDIT = "DELETE FROM audit WHERE id <= ?";
const AUDIT = "SELECT id, at, who, what, target, tenant, trace FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?";
const AUDIT_OF_TENANT = `SELECT id, at, who, what, target, tenant, trace FROM audit
  WHERE tenant = ? AND id < ? ORDER BY id DESC LIMIT ?`;

export function putKey(core: Core, key: ApiKey): void {
  core.statement(ADD_KEY).run(...keyValues(key));
}

export function keys(core: ReadView, id?: string): ApiKey[] {
  const rows = id === undefined ? core.statement(KEYS).all() : core.statement(KEY).all(id);
  return (rows as unknown as KeyRow[]).map(keyOf);
}

export function revokeKey(core: Core, id: string): boolean {
  return Number(core.statement(REVOKE_KEY).run(core.clock.now(), id).changes) > 0;
}

export function addAudit(core: Core, { who, what, target, tenant, traceId }: NewAuditEntry): void {
  const bound = [core.clock.now(), who, what, target ?? null, tenant ?? null, traceId ?? null] as const;
  const { id } = core.statement(ADD_AUDIT).get(...bound) as { id: number };
  core.statement(DROP_AUDIT).run(id - MOST_AUDIT_ENTRIES);
}

export function audit(core: ReadView, { limit, beforeId, tenant }: AuditPage): AuditEntry[] {
  const before = beforeId ?? Number.MAX_SAFE_INTEGER;
  const rows =
    tenant === undefined
      ? core.statement(AUDIT).all(before, limit)
      : core.statement(AUDIT_OF_TENANT).all(tenant, before, limit);
  return (rows as unknown as AuditRow[]).map(auditEntryOf);
}
