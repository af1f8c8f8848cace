// Shared artifacts: bytes under a key that says what they were made from, beside the jobs' own. What names them stands
// with the jobs, in the same file and commit; a link holds its tenant's name, so that the artifacts' file needs no other.

export const SHARED = `
CREATE TABLE job_share (
  job INTEGER NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (job, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_share_key ON job_share (key);

-- The bytes last: whoever looks for age or size does not read past them.
CREATE TABLE artifacts.shared (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  read_at INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  info TEXT NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE INDEX artifacts.shared_read ON shared (read_at, id);

CREATE TABLE artifacts.link (
  link TEXT PRIMARY KEY,
  tenant TEXT NOT NULL,
  shared INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX artifacts.link_of ON link (shared, tenant);

CREATE TABLE artifacts.shared_sum (bytes INTEGER NOT NULL) STRICT;
INSERT INTO artifacts.shared_sum (bytes) VALUES (0);
`;
