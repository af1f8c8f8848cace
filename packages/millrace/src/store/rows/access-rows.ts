// Keys and the audit list as both stores keep them.

import type { ApiKey, AuditEntry } from "../verbs/access.ts";

/** Years of a busy administrator; the oldest go, so that a script in a loop cannot fill the disk. */
export const MOST_AUDIT_ENTRIES = 100_000;

export interface KeyRow {
  id: string;
  name: string;
  tenant: string;
  scopes: string;
  secret_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface AuditRow {
  id: number;
  at: number;
  who: string;
  what: string;
  target: string | null;
  tenant: string | null;
  trace: string | null;
}

/** In the order of the table's columns. */
export function keyValues(key: ApiKey): (string | number | null)[] {
  const { id, name, tenant, scopes, secretHash, createdAt, expiresAt, revokedAt } = key;
  return [id, name, tenant, scopes.join(" "), secretHash, createdAt, expiresAt ?? null, revokedAt ?? null];
}

export function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    tenant: row.tenant,
    scopes: row.scopes.split(" ") as ApiKey["scopes"],
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}

export function auditEntryOf({ id, at, who, what, target, tenant, trace }: AuditRow): AuditEntry {
  return {
    id,
    at,
    who,
    what,
    ...(target !== null && { target }),
    ...(tenant !== null && { tenant }),
    ...(trace !== null && { traceId: trace }),
  };
}
