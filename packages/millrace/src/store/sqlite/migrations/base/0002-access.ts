// Keys, the record of who did what, and dead letters by age. Held jobs get an index too: they are few, and without one
// a count of what tenants have waiting would read every row.

export const ACCESS = `
CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  tenant TEXT NOT NULL,
  scopes TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  target TEXT,
  tenant TEXT,
  trace TEXT
) STRICT;

CREATE INDEX job_dead ON job (finished_at) WHERE standing = 6;
CREATE INDEX job_held ON job (tenant) WHERE standing = 3;
`;
