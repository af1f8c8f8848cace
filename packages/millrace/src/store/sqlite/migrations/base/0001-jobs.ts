// The first schema. `standing` is the index of a Standing in job/job.ts: 0 scheduled, 1 ready, 2 suspect, 3 held,
// 4 running, 5 completed, 6 failed, 7 rejected, 8 cancelled. Every standing a claim or an upkeep pass looks for has
// a partial index of its own, so their cost does not grow with the rest of the table.

export const JOBS = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE tenant (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  running INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0)
) STRICT;

CREATE TABLE kind (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  paused INTEGER NOT NULL DEFAULT 0,
  plan TEXT NOT NULL
) STRICT;

CREATE TABLE stage (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL REFERENCES kind,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  next INTEGER REFERENCES stage,
  turn INTEGER NOT NULL DEFAULT 0,
  scheduled INTEGER NOT NULL DEFAULT 0 CHECK (scheduled >= 0),
  ready INTEGER NOT NULL DEFAULT 0 CHECK (ready >= 0),
  suspect INTEGER NOT NULL DEFAULT 0 CHECK (suspect >= 0),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  running INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0),
  completed INTEGER NOT NULL DEFAULT 0 CHECK (completed >= 0),
  failed INTEGER NOT NULL DEFAULT 0 CHECK (failed >= 0),
  rejected INTEGER NOT NULL DEFAULT 0 CHECK (rejected >= 0),
  cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  UNIQUE (kind, name)
) STRICT;

-- A lane is one tenant's queue in one stage. The partial index holds those that may be served, in turn.
CREATE TABLE lane (
  stage INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  turn INTEGER NOT NULL DEFAULT 0,
  ready INTEGER NOT NULL DEFAULT 0 CHECK (ready >= 0),
  blocked INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (stage, tenant)
) STRICT, WITHOUT ROWID;
CREATE INDEX lane_serving ON lane (stage, turn) WHERE ready > 0 AND blocked = 0;
CREATE INDEX lane_tenant ON lane (tenant);

CREATE TABLE instance (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  lease_ms INTEGER NOT NULL,
  -- Where its operating system would list it, so that a death on this machine is seen at once.
  place TEXT,
  pools TEXT
) STRICT;

CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  stage INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 8),
  priority INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  token INTEGER NOT NULL DEFAULT 0,
  holder INTEGER,
  slot INTEGER,
  attempt INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  failures_total INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  flags INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  max_attempts INTEGER,
  timeout_ms INTEGER,
  expires_at INTEGER,
  payload TEXT,
  output TEXT,
  failure TEXT,
  held_for TEXT,
  progress TEXT,
  tags TEXT,
  trace TEXT,
  retry_of INTEGER,
  retried_as INTEGER,
  CHECK (standing <> 4 OR holder IS NOT NULL),
  CHECK ((standing >= 5) = (finished_at IS NOT NULL))
) STRICT;
CREATE INDEX job_ready ON job (stage, tenant, priority, run_at) WHERE standing = 1;
CREATE INDEX job_scheduled ON job (run_at) WHERE standing = 0;
CREATE INDEX job_suspect ON job (stage, priority, run_at) WHERE standing = 2;
CREATE INDEX job_running ON job (holder) WHERE standing = 4;
CREATE INDEX job_expiring ON job (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX job_finished ON job (stage, standing, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX job_tenant ON job (tenant);

-- Payloads and outputs too large for the row: id is twice the job's, plus 1 for the output.
CREATE TABLE body (id INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT;

-- An attempt is written as it ends, except the one that completes the job: that one is the job row itself.
CREATE TABLE attempt (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  stage INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  holder INTEGER,
  slot INTEGER,
  outcome TEXT NOT NULL,
  failure TEXT
) STRICT;
CREATE INDEX attempt_job ON attempt (job);

CREATE TABLE step (
  job INTEGER NOT NULL,
  stage INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  PRIMARY KEY (job, stage, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job INTEGER NOT NULL,
  at INTEGER NOT NULL,
  level TEXT NOT NULL,
  message TEXT NOT NULL,
  data TEXT
) STRICT;
CREATE INDEX log_job ON log (job);

CREATE TABLE unique_key (
  kind INTEGER NOT NULL,
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  job INTEGER NOT NULL UNIQUE,
  PRIMARY KEY (kind, tenant, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  tenant INTEGER NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  jobs TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);

-- Sliding windows: what happened at which millisecond, for a tenant's submissions and for a stage's starts.
CREATE TABLE window (
  what TEXT NOT NULL,
  owner INTEGER NOT NULL,
  at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (what, owner, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE window_sum (
  what TEXT NOT NULL,
  owner INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (what, owner)
) STRICT, WITHOUT ROWID;

CREATE TABLE limiter (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  per_ms INTEGER NOT NULL,
  level REAL NOT NULL,
  level_at INTEGER NOT NULL,
  blocked_until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE schedule (
  name TEXT PRIMARY KEY,
  rule TEXT NOT NULL,
  next_at INTEGER NOT NULL,
  last_at INTEGER,
  last_job INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE artifacts.artifact (
  job INTEGER NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (job, name)
) STRICT;
`;
