// A schedule's name belongs to its tenant: two tenants may use the same one. Sign-ins of the dashboard are stored, so
// that signing out holds in every process. Only a hash of the cookie is kept.

export const SESSIONS = `
CREATE TABLE tenant_schedule (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  rule TEXT NOT NULL,
  next_at INTEGER NOT NULL,
  last_at INTEGER,
  last_job INTEGER,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
INSERT INTO tenant_schedule (tenant, name, rule, next_at, last_at, last_job)
  SELECT coalesce(rule ->> 'tenant', 'default'), name, rule, next_at, last_at, last_job FROM schedule;
DROP TABLE schedule;
ALTER TABLE tenant_schedule RENAME TO schedule;
CREATE INDEX schedule_due ON schedule (next_at);

CREATE TABLE session (
  id_hash TEXT PRIMARY KEY,
  key_id TEXT,
  proof TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_expiring ON session (expires_at);
`;
