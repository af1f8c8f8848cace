// Concurrency by key. A job has a place while it waits for its key and while it holds it. The first jobs of each key, as many as
// may run, hold it; only those are in the index of ready jobs. Jobs without a key have no row here.

export const CONCURRENCY = `
ALTER TABLE job ADD COLUMN concurrency_key TEXT;

CREATE TABLE place (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job INTEGER NOT NULL UNIQUE,
  kind INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  holds INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX place_waiting ON place (kind, tenant, key, priority, id) WHERE holds = 0;
CREATE INDEX place_holding ON place (kind, tenant, key) WHERE holds = 1;
CREATE INDEX job_holding_key ON job (finished_at) WHERE finished_at IS NOT NULL AND flags & 536870912;

-- Limits that kinds share: what the deployment with the highest number asked for, and what an operator set.
CREATE TABLE concurrency_limit (
  name TEXT PRIMARY KEY,
  total INTEGER NOT NULL,
  number INTEGER NOT NULL,
  set_total INTEGER
) STRICT, WITHOUT ROWID;
`;
