// What a job undoes when it fails for good or is cancelled. store/decide/undo.ts decides; here it is loaded and written.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import type { Transition } from "../../../job/lifecycle.ts";
import { concernsUndo, decideUndo, type JobEnding, type UndoDecision, type UndoLeft } from "../../decide/undo.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { UndoStep } from "../../verbs/attempts.ts";
import { CANCEL_ASKED, HAS_UNDOS } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { moveToTwin } from "../register/twin.ts";
import { addFlag, heldRow } from "../settle/belongings.ts";

// A step or a wait without a value has done nothing that could be undone.
const LEFT = `SELECT undo.stage, undo.name, undo.handler, coalesce(step.value, wait.value) AS value
  FROM undo
  LEFT JOIN step ON undo.type = 'step' AND step.job = undo.job AND step.stage = undo.stage AND step.name = undo.name
  LEFT JOIN wait ON wait.type = undo.type AND wait.job = undo.job AND wait.stage = undo.stage AND wait.name = undo.name
  WHERE undo.job = ?1 AND coalesce(step.value, wait.value) IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM step AS done
      WHERE done.job = undo.job AND done.stage = undo.stage AND done.name = 'undo:' || undo.name)
  ORDER BY undo.id DESC`;
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

/** On the twin of its plan, so that processes of an older release leave the job and its undos alone. */
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

/** The job runs on until its steps under way are stored. Then it ends like this. */
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
