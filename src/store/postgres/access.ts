import type { ApiKey, AuditEntry, AuditPage, NewAuditEntry } from "../store.ts";
import { NOW } from "./clock.ts";
import type { Core } from "./core.ts";

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

/** Years of a busy administrator; the oldest go, so that a script in a loop cannot fill the disk. */
const MOST_AUDIT_ENTRIES = 100_000;

interface KeyRow {
  id: string;
  name: string;
  tenant: string;
  scopes: string;
  secret_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

interface AuditRow {
  id: number;
  at: number;
  who: string;
  what: string;
  target: string | null;
  tenant: string | null;
  trace: string | null;
}

export async function putKey(core: Core, key: ApiKey): Promise<void> {
  const { id, name, tenant, scopes, secretHash, createdAt, expiresAt, revokedAt } = key;
  await core.connections.write.run(ADD_KEY, [
    id,
    name,
    tenant,
    scopes.join(" "),
    secretHash,
    createdAt,
    expiresAt ?? null,
    revokedAt ?? null,
  ]);
}

export async function keys(core: Core): Promise<ApiKey[]> {
  return (await core.connections.write.run<KeyRow>(KEYS, [])).map(toKey);
}

export async function findKey(core: Core, id: string): Promise<ApiKey | undefined> {
  const [row] = await core.connections.write.run<KeyRow>(KEY, [id]);
  return row && toKey(row);
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
  return rows.map(({ id, at, who, what, target, tenant, trace }) => ({
    id,
    at,
    who,
    what,
    ...(target !== null && { target }),
    ...(tenant !== null && { tenant }),
    ...(trace !== null && { traceId: trace }),
  }));
}

function toKey(row: KeyRow): ApiKey {
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
