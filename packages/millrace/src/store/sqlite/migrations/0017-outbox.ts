// Outboxes: tables in databases of applications, whose rows become jobs here. `outbox` has a row for each, with the lease of the process
// that relays it. `outbox_applied` has the ids of rows that are jobs by now and are not deleted there yet.

export const OUTBOX = `
CREATE TABLE outbox (
  name TEXT PRIMARY KEY,
  label TEXT NOT NULL,
  -- Grows when another process takes over. A stale token applies nothing.
  token INTEGER NOT NULL,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  -- What the holder last saw, and when.
  seen_at INTEGER NOT NULL,
  waiting INTEGER NOT NULL DEFAULT 0,
  oldest_ms INTEGER,
  trouble TEXT
) STRICT;
CREATE TABLE outbox_applied (
  outbox TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (outbox, id)
) STRICT, WITHOUT ROWID;
`;
