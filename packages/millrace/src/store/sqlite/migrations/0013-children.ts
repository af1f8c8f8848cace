// Jobs that wait for other jobs. An edge leads from the one that waits, or from a batch, to the other. `type`, `state` and
// `what` are the codes of store/children/codes.ts. Jobs that use none of this have no row here.

export const CHILDREN = `
CREATE TABLE edge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type INTEGER NOT NULL,
  -- The parent or dependent, and its wait; NULL for members of a batch.
  owner INTEGER,
  wait INTEGER,
  batch INTEGER,
  -- The child, dependency or member.
  job INTEGER NOT NULL,
  -- Its place among those of the wait, and its key or name there.
  place INTEGER NOT NULL,
  key TEXT,
  -- The job at the top of the tree, and how many ancestors the child has.
  root INTEGER,
  depth INTEGER NOT NULL DEFAULT 0,
  state INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX edge_job ON edge (job);
CREATE INDEX edge_wait ON edge (wait, state) WHERE wait IS NOT NULL;
CREATE INDEX edge_batch ON edge (batch, state) WHERE batch IS NOT NULL;

-- How many children a job has started, and how many jobs the tree has of which it is the top.
CREATE TABLE tree (
  job INTEGER PRIMARY KEY,
  children INTEGER NOT NULL,
  jobs INTEGER NOT NULL
) STRICT;

CREATE TABLE batch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  sealed_at INTEGER,
  ended_at INTEGER,
  cancelled_at INTEGER,
  -- The job to submit at its end, as JSON, and its key once it is submitted.
  on_end TEXT,
  callback INTEGER,
  -- How its members had ended when it ended, as JSON.
  counts TEXT
) STRICT;
CREATE INDEX batch_callback ON batch (callback) WHERE callback IS NOT NULL;
CREATE INDEX batch_ended ON batch (ended_at) WHERE ended_at IS NOT NULL;

-- What is left to do after a commit.
CREATE TABLE left_work (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  what INTEGER NOT NULL,
  ref INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`;
