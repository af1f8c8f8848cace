// The last submission of a unique key wins. A follower waits for the live job of its key, and its own time stands here until that
// ends. `latest_at`: when a job starts at the latest, whatever later submissions ask for. `throttle`: which job stands for all
// submissions of a key until a moment, even if it has ended.

export const FOLLOWERS = `
ALTER TABLE unique_key ADD COLUMN latest_at INTEGER;

CREATE TABLE follower (
  kind INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  job INTEGER NOT NULL UNIQUE,
  run_at INTEGER NOT NULL,
  latest_at INTEGER,
  PRIMARY KEY (kind, tenant, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE throttle (
  kind INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  job INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (kind, tenant, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX throttle_until ON throttle (until);
`;
