// The last submission of a unique key wins. A follower waits for the live job of its key, and its own time stands here until that
// ends. `latest_at`: when a job starts at the latest, whatever later submissions ask for. `follower_caller`: followers that were
// stored in transactions of callers; what becomes of them is decided after the commit. `throttle`: which job stands for all
// submissions of a key until a moment, even if it has ended.

export const FOLLOWERS = `
ALTER TABLE millrace.unique_key ADD COLUMN latest_at bigint;

CREATE TABLE millrace.follower (
  kind integer NOT NULL,
  tenant integer NOT NULL,
  key text NOT NULL,
  job bigint NOT NULL UNIQUE,
  run_at bigint NOT NULL,
  latest_at bigint,
  PRIMARY KEY (kind, tenant, key)
);

CREATE TABLE millrace.follower_caller (
  job bigint NOT NULL,
  kind integer NOT NULL,
  tenant integer NOT NULL,
  key text NOT NULL,
  -- Whether it takes over the payload of the job that it replaces.
  extends boolean NOT NULL,
  run_at bigint NOT NULL,
  latest_at bigint,
  expires_at bigint
);
CREATE INDEX follower_caller_key ON millrace.follower_caller (kind, tenant, key);

CREATE TABLE millrace.throttle (
  kind integer NOT NULL,
  tenant integer NOT NULL,
  key text NOT NULL,
  job bigint NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (kind, tenant, key)
);
CREATE INDEX throttle_until ON millrace.throttle (until);
`;
