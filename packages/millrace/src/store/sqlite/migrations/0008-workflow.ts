// What a job waits for, what it was sent, and what it waits for of other jobs. `state` of a wait and of a signal are the
// codes of store/waits/codes.ts. Jobs that use none of this have no row here, and no index of theirs grows.

export const WORKFLOW = `
CREATE TABLE wait (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  stage INTEGER NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  state INTEGER NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  -- Of an event: its tenant and topic, the names of the fields to match, and a hash of their values.
  tenant INTEGER NOT NULL,
  topic TEXT,
  match_keys TEXT,
  match_hash TEXT,
  published_since INTEGER,
  details TEXT,
  value TEXT,
  answered_at INTEGER,
  -- The signal or event that answered it.
  source INTEGER,
  UNIQUE (job, stage, type, name)
) STRICT;
CREATE INDEX wait_event ON wait (tenant, topic, match_keys, match_hash) WHERE state = 0 AND type = 'event';
CREATE INDEX wait_approval ON wait (tenant, id) WHERE state = 0 AND type = 'approval';

CREATE TABLE signal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  sent_by TEXT,
  key TEXT,
  state INTEGER NOT NULL DEFAULT 0,
  reason TEXT
) STRICT;
CREATE INDEX signal_job ON signal (job, id);
CREATE UNIQUE INDEX signal_key ON signal (job, key) WHERE key IS NOT NULL;

CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL,
  topic TEXT NOT NULL,
  fields TEXT NOT NULL,
  at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  key TEXT
) STRICT;
CREATE INDEX event_topic ON event (tenant, topic, id);
CREATE INDEX event_age ON event (expires_at);
CREATE UNIQUE INDEX event_key ON event (tenant, topic, key) WHERE key IS NOT NULL;
`;
