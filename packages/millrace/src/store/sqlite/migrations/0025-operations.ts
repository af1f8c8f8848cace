// Acts on many jobs. `state`: 0 collecting, 1 running, 2 paused, 3 stopped, 4 completed, 5 failed. The jobs that an operation covers
// stand in `operation_part`, some thousand a row; those it has acted on, if it can be undone, in `operation_done`.

export const OPERATIONS = `
CREATE TABLE operation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  action TEXT NOT NULL,
  request TEXT NOT NULL,
  hash TEXT NOT NULL,
  made_by TEXT NOT NULL,
  tenant TEXT,
  among TEXT NOT NULL,
  state INTEGER NOT NULL,
  total INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  errors TEXT NOT NULL DEFAULT '[]',
  waits_for TEXT,
  part INTEGER NOT NULL DEFAULT 0,
  place INTEGER NOT NULL DEFAULT 0,
  per_second REAL,
  paced_at INTEGER NOT NULL DEFAULT 0,
  rate REAL NOT NULL DEFAULT 0,
  rate_since INTEGER NOT NULL DEFAULT 0,
  rate_count INTEGER NOT NULL DEFAULT 0,
  key TEXT,
  undo_of INTEGER,
  started_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE UNIQUE INDEX operation_live ON operation (hash) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX operation_key ON operation (key) WHERE key IS NOT NULL;
CREATE INDEX operation_undo ON operation (undo_of) WHERE undo_of IS NOT NULL;

CREATE TABLE operation_part (
  operation INTEGER NOT NULL,
  part INTEGER NOT NULL,
  count INTEGER NOT NULL,
  jobs TEXT NOT NULL,
  PRIMARY KEY (operation, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE operation_done (
  operation INTEGER NOT NULL,
  part INTEGER NOT NULL,
  count INTEGER NOT NULL,
  jobs TEXT NOT NULL,
  PRIMARY KEY (operation, part)
) STRICT, WITHOUT ROWID;
`;
