// What jobs write to streams: see store/streams/codes.ts. Jobs without streams have no row here.

export const STREAMS = `
CREATE TABLE stream (
  job INTEGER NOT NULL,
  name TEXT NOT NULL,
  tenant INTEGER NOT NULL,
  -- The number of its last entry.
  last INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- The number of its last restart, and up to which number chunks survived that.
  restart INTEGER NOT NULL DEFAULT 0,
  keep INTEGER NOT NULL DEFAULT 0,
  -- The last write, so that a repeated one is noticed.
  writer TEXT NOT NULL DEFAULT '',
  seq INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (job, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX stream_tenant ON stream (tenant);

CREATE TABLE stream_part (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The number of its last chunk.
  number INTEGER NOT NULL,
  -- 0: a restart.
  count INTEGER NOT NULL,
  stage TEXT NOT NULL,
  -- The step that wrote it.
  step TEXT,
  data TEXT NOT NULL,
  UNIQUE (job, name, number)
) STRICT;
`;
