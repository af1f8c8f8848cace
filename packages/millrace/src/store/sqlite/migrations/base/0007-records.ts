// Records: the small key-value table of workloads. A version is a row id that SQLite never hands out twice, so a record
// that was deleted and created again has another version.

export const RECORDS = `
CREATE TABLE record (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL,
  tenant TEXT NOT NULL,
  key TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  value TEXT NOT NULL,
  UNIQUE (space, tenant, key)
) STRICT;
CREATE INDEX record_expiring ON record (expires_at) WHERE expires_at IS NOT NULL;
`;
