// The workflow twin of a plan: the same kind and stages, marked as needing a newer engine. A job that waits, or that others
// wait for, moves there, so that processes of an older release leave it alone. Its name in memory and on the wire stays.

import { planHash, WORKFLOW_LEVEL } from "../../../job/kind/plan.ts";
import { HAS_STEPS, RUNNING } from "../../codes.ts";
import type { StageRow } from "../../plans/catalog.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { HAS_UNDOS, HAS_WAITS } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { bumpVersion, enterStages } from "./workers.ts";

const FIND_PLAN = "SELECT id FROM plan WHERE hash = ?";
const ADD_PLAN = "INSERT INTO plan (kind, stages, hash, first_seen, needs) VALUES (?, ?, ?, ?, ?) RETURNING id";
const MOVE_JOB = "UPDATE job SET stage = ? WHERE id = ?";
const MOVE_STEPS = "UPDATE step SET stage = ?1 WHERE job = ?2 AND stage = ?3";
const MOVE_UNDOS = "UPDATE undo SET stage = ?1 WHERE job = ?2 AND stage = ?3";
const MOVE_WAITS = "UPDATE wait SET stage = ?1 WHERE job = ?2 AND stage = ?3";

/** The stage of the same name in the twin of its plan, which is made when it is first needed. */
export function twinOf(core: Core, stage: StageRow): StageRow {
  const known = core.names.twinOf(stage);
  if (known) return known;
  const names = core.names.stagesOf(stage).map(({ name }) => name);
  const hash = planHash(stage.kindName, names, WORKFLOW_LEVEL);
  const found = core.statement(FIND_PLAN).get(hash) as { id: number } | undefined;
  const values = [stage.kind, JSON.stringify(names), hash, core.clock.now(), WORKFLOW_LEVEL] as const;
  const { id } = found ?? (core.statement(ADD_PLAN).get(...values) as { id: number });
  enterStages(core, stage.kind, id, names, stage.pin);
  bumpVersion(core);
  const made = core.names.twinOf(stage);
  if (!made) throw new Error(`the twin of stage ${stage.id} was not made`);
  return made;
}

/** Moves a job to the twin of its stage, with everything that it stored under its stage. Returns its new row. */
export function moveToTwin(core: Core, row: JobRow): JobRow {
  const stage = core.names.stage(row.stage);
  const twin = twinOf(core, stage);
  if (twin.id === row.stage) return row;
  core.statement(MOVE_JOB).run(twin.id, row.id);
  if (row.flags & HAS_STEPS) core.statement(MOVE_STEPS).run(twin.id, row.id, row.stage);
  if (row.flags & HAS_WAITS) core.statement(MOVE_WAITS).run(twin.id, row.id, row.stage);
  if (row.flags & HAS_UNDOS) core.statement(MOVE_UNDOS).run(twin.id, row.id, row.stage);
  core.counts.leave(row.stage, row.tenant, row.standing);
  core.counts.enter(twin.id, row.tenant, row.standing);
  const held = row.standing === RUNNING ? core.held.get(row.id) : undefined;
  if (held) {
    core.afterCommit(() => {
      held.stage = twin.id;
    });
  }
  return { ...row, stage: twin.id };
}
