// A job keeps the plan it was submitted under. A plan is a row that never changes, and a stage row belongs to one plan (and,
// where its jobs are pinned, to one deployment): the job's stage says how it goes on. Version 0.1.0 rewrote the links between
// stages, so its rows become the plan that was in force; a stage that its kind no longer had becomes a plan of its own.

import type { DatabaseSync } from "node:sqlite";
import { planHash } from "../../../../job/kind/plan.ts";

const TABLES = `
CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL REFERENCES kind,
  stages TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  first_seen INTEGER NOT NULL,
  needs INTEGER NOT NULL
) STRICT;

CREATE TABLE deployment (
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL UNIQUE,
  number INTEGER UNIQUE,
  announced_at INTEGER,
  living_since INTEGER,
  ended_at INTEGER
) STRICT;

-- Every plan that a worker of the deployment ever ran.
CREATE TABLE deployment_plan (
  deployment INTEGER NOT NULL,
  plan INTEGER NOT NULL,
  PRIMARY KEY (deployment, plan)
) STRICT, WITHOUT ROWID;

-- Which kinds the living processes work on. A row goes with its process.
CREATE TABLE worker (
  instance INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  plan INTEGER NOT NULL,
  deployment INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  serves TEXT NOT NULL,
  policy TEXT NOT NULL,
  PRIMARY KEY (instance, kind)
) STRICT, WITHOUT ROWID;

ALTER TABLE kind ADD COLUMN last_plan INTEGER;
ALTER TABLE kind ADD COLUMN last_pin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE kind ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE instance ADD COLUMN level INTEGER NOT NULL DEFAULT 0;

CREATE TABLE stage_of_plan (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL REFERENCES kind,
  name TEXT NOT NULL,
  plan INTEGER REFERENCES plan,
  pin INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL,
  next INTEGER,
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
  UNIQUE (kind, name, plan, pin)
) STRICT;
INSERT INTO stage_of_plan (id, kind, name, position, next, turn, scheduled, ready, suspect, held, running, completed, failed,
    rejected, cancelled)
  SELECT id, kind, name, position, next, turn, scheduled, ready, suspect, held, running, completed, failed, rejected, cancelled
  FROM stage;
DROP TABLE stage;
ALTER TABLE stage_of_plan RENAME TO stage;
`;

const STAGES = `SELECT stage.id, stage.kind, kind.name AS kindName, stage.name, position FROM stage JOIN kind ON kind.id = stage.kind
  ORDER BY kind, position`;
const ADD_PLAN = "INSERT INTO plan (kind, stages, hash, first_seen, needs) VALUES (?, ?, ?, ?, 1) RETURNING id";
const SET_PLAN = "UPDATE stage SET plan = ?, position = ? WHERE id = ?";
const SET_LAST = "UPDATE kind SET last_plan = ? WHERE id = ?";
/** Version 0.1.0 gave these positions to stages that their kind no longer had. */
const RETIRED = 1000;

interface OldStage {
  id: number;
  kind: number;
  kindName: string;
  name: string;
  position: number;
}

export function addPlans(db: DatabaseSync): void {
  db.exec(TABLES);
  const stages = db.prepare(STAGES).all() as unknown as OldStage[];
  for (const kind of new Set(stages.map((stage) => stage.kind))) {
    const own = stages.filter((stage) => stage.kind === kind);
    const current = own.filter(({ position }) => position < RETIRED);
    if (current.length > 0) db.prepare(SET_LAST).run(addPlan(db, current), kind);
    for (const stage of own) if (stage.position >= RETIRED) addPlan(db, [stage]);
  }
}

function addPlan(db: DatabaseSync, stages: OldStage[]): number {
  const [first] = stages as [OldStage];
  const names = stages.map(({ name }) => name);
  const hash = planHash(first.kindName, names);
  const { id } = db.prepare(ADD_PLAN).get(first.kind, JSON.stringify(names), hash, Date.now()) as { id: number };
  for (const [position, stage] of stages.entries()) db.prepare(SET_PLAN).run(id, position, stage.id);
  return id;
}
