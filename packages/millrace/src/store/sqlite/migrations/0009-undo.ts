// What a job is beyond its row, and what it undoes. Jobs that use none of this have no row here.

export const UNDO = `
CREATE TABLE workflow (
  job INTEGER PRIMARY KEY,
  -- The first job of its chain of revivals: keys of steps are made from it.
  first_job INTEGER,
  -- How the job ends after its undos: { standing, failure } as JSON.
  ending TEXT
) STRICT;

CREATE TABLE undo (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job INTEGER NOT NULL,
  stage INTEGER NOT NULL,
  -- The step or the wait whose value the handler takes.
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  handler TEXT NOT NULL,
  UNIQUE (job, stage, type, name)
) STRICT;
`;
