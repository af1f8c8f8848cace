// The last submission of a unique key wins. A follower waits for the live job of its key, and its own time stands here until that
// ends. `latest_at`: when a job starts at the latest, whatever later submissions ask for. `follower_caller`: followers that were
// stored in transactions of callers; what becomes of them is decided after the commit. `throttle`: which job stands for all
// submissions of a key until a moment, even if it has ended.

import { FOLLOWS } from "../../codes.ts";
import { NEVER } from "../../waits/codes.ts";
import { SUBMIT_JSON } from "./0015-sql-submit.ts";

const TABLES = `
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

// millrace.submit() with "replace" and "extend": as in a transaction of a caller, the job is stored as a follower of the live job. So it
// is if other followers of the key have been committed and have no place yet, because the last submission wins.
export const SUBMIT = [
  ["CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"],
  ["  fingerprint text;", "  fingerprint text; follows boolean := false;"],
  ["NOT IN ('refuse', 'join')", "NOT IN ('refuse', 'join', 'replace', 'extend')"],
  ['must be "refuse" or "join".', 'must be "refuse", "join", "replace" or "extend".'],
  [
    "IF FOUND AND if_unique = 'join' THEN",
    `IF if_unique IN ('replace', 'extend') THEN
      follows := FOUND OR EXISTS (
        SELECT 1 FROM millrace.follower_caller AS waiting
        WHERE waiting.kind = kind_id AND waiting.tenant = tenant_id AND waiting.key = unique_key
      );
    ELSIF FOUND AND if_unique = 'join' THEN`,
  ],
  [
    "coalesce((options ->> 'priority')::int, 0), run_at,\n",
    `coalesce((options ->> 'priority')::int, 0), CASE WHEN follows THEN ${NEVER} ELSE run_at END,\n`,
  ],
  ["CASE WHEN unique_key IS NULL", `CASE WHEN follows THEN ${FOLLOWS} WHEN unique_key IS NULL`],
  [
    "run_at + (options ->> 'expiresInMs')::bigint",
    "CASE WHEN NOT follows THEN run_at + (options ->> 'expiresInMs')::bigint END",
  ],
  [
    "  IF unique_key IS NOT NULL THEN\n    INSERT",
    `  IF follows THEN
    INSERT INTO millrace.follower_caller (job, kind, tenant, key, extends, run_at, expires_at)
    VALUES (job_key, kind_id, tenant_id, unique_key, if_unique = 'extend', run_at,
      run_at + (options ->> 'expiresInMs')::bigint);
  ELSIF unique_key IS NOT NULL THEN
    INSERT`,
  ],
].reduce((text, [before = "", after = ""]) => {
  if (!text.includes(before)) throw new Error(`millrace.submit() has no "${before}"`);
  return text.replace(before, after);
}, SUBMIT_JSON);

export const FOLLOWERS = `${TABLES}${SUBMIT}`;
