// Outboxes: tables in databases of applications, whose rows become jobs here. `outbox` has a row for each, with the lease of the process
// that relays it. `outbox_applied` has the ids of rows that are jobs by now and are not deleted there yet.

export const OUTBOX = `
CREATE TABLE millrace.outbox (
  name text PRIMARY KEY,
  label text NOT NULL,
  -- Grows when another process takes over. A stale token applies nothing.
  token bigint NOT NULL,
  holder text NOT NULL,
  expires_at bigint NOT NULL,
  -- What the holder last saw, and when.
  seen_at bigint NOT NULL,
  waiting bigint NOT NULL DEFAULT 0,
  oldest_ms bigint,
  trouble text
);
CREATE TABLE millrace.outbox_applied (
  outbox text NOT NULL,
  id text NOT NULL,
  PRIMARY KEY (outbox, id)
);
`;
