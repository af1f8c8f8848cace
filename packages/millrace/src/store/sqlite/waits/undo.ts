// What a job undoes when it fails for good or is cancelled. store/decide/undo.ts decides; here it is loaded and written.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import type { Transition } from "../../../job/lifecycle.ts";
import { CHILD, ENDED_WELL } from "../../children/codes.ts";
import { concernsUndo, decideUndo, type JobEnding, type UndoDecision, type UndoLeft } from "../../decide/undo.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { UndoStep } from "../../verbs/attempts.ts";
import { CANCEL_ASKED, HAS_UNDOS } from "../../waits/codes.ts";
import { RESULT } from "../children/ends.ts";
import type { Core } from "../core.ts";
import { moveToTwin } from "../register/twin.ts";
import { addFlag, heldRow } from "../settle/belongings.ts";

const STORED_STEPS = `SELECT undo.id, 0 AS place, undo.job, undo.stage, undo.name, undo.handler, step.value
  FROM undo JOIN step ON step.job = undo.job AND step.stage = undo.stage AND step.name = undo.name
  WHERE undo.job = ?1 AND undo.type = 'step'`;
// A child that failed or was cancelled has undone its own work. One that the job only joined belongs to others.
const COMPLETED_CHILDREN = `SELECT undo.id, edge.place, undo.job, undo.stage, undo.name || iif(edge.key = '', '', ' [' || edge.key || ']') AS name,
    undo.handler, coalesce(${RESULT}, 'null') AS value
  FROM undo JOIN wait ON wait.job = undo.job AND wait.stage = undo.stage AND wait.type = undo.type AND wait.name = undo.name
  JOIN edge ON edge.wait = wait.id AND edge.type = ${CHILD} AND edge.state = ${ENDED_WELL}
  JOIN job ON job.id = edge.job
  WHERE undo.job = ?1 AND undo.type = 'children'`;
const LEFT = `SELECT undo.stage, undo.name, undo.handler, undo.value
  FROM (${STORED_STEPS} UNION ALL ${COMPLETED_CHILDREN}) AS undo
  WHERE NOT EXISTS (SELECT 1 FROM step AS done
    WHERE done.job = undo.job AND done.stage = undo.stage AND done.name = 'undo:' || undo.name)
  ORDER BY undo.id DESC, undo.place DESC`;
const ADD = `INSERT INTO undo (job, stage, type, name, handler) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (job, stage, type, name) DO NOTHING`;
const ENDING = "SELECT ending FROM workflow WHERE job = ?";
const SET_ENDING = `INSERT INTO workflow (job, ending) VALUES (?1, ?2)
  ON CONFLICT (job) DO UPDATE SET ending = ?2`;
const ASK_CANCEL = `UPDATE job SET flags = flags | ${CANCEL_ASKED}, updated_at = ?2 WHERE id = ?1`;

/** What an undo makes of a change. Undefined: the change concerns none. */
export function undoDecision(core: Core, row: JobRow, change: Transition, now: number): UndoDecision | undefined {
  if (!concernsUndo(row, change)) return undefined;
  const decision = decideUndo(row, change, { left: left(core, row.id), ending: endingOf(core, row.id) }, now);
  if (decision?.ending) core.statement(SET_ENDING).run(row.id, JSON.stringify(decision.ending));
  return decision;
}

/** Stores the name of the handler that undoes a step or children of the job. */
export function addUndo(
  core: Core,
  row: JobRow,
  undo: { type: "step" | "children"; name: string; handler: string },
): void {
  core.statement(ADD).run(row.id, row.stage, undo.type, undo.name, undo.handler);
}

/** Moves the job to the twin of its plan, so that processes of an older release leave it and its undos alone. */
export function beginUndoable(core: Core, lease: Lease): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  addFlag(core, moveToTwin(core, row), HAS_UNDOS);
  return "written";
}

export function undosLeft(core: Core, lease: Lease): UndoStep[] | "lease-lost" {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  const ofStage = left(core, row.id).filter(({ stage }) => stage === row.stage);
  return ofStage.map(({ name, handler, value }) => ({ name, handler, value }));
}

/** Asks a running job to end. It runs on until its steps under way are stored. */
export function askCancel(core: Core, row: JobRow, ending: JobEnding, now: number): void {
  core.statement(SET_ENDING).run(row.id, JSON.stringify(ending));
  core.statement(ASK_CANCEL).run(row.id, now);
}

function left(core: Core, job: number): UndoLeft[] {
  return core.statement(LEFT).all(job) as unknown as UndoLeft[];
}

function endingOf(core: Core, job: number): JobEnding | undefined {
  const row = core.statement(ENDING).get(job) as { ending: string | null } | undefined;
  return row?.ending ? (JSON.parse(row.ending) as JobEnding) : undefined;
}
