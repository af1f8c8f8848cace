// What a job undoes when it fails for good or is cancelled, parallel to SQLite's. The caller holds the lock of the job's row.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import type { Transition } from "../../../job/lifecycle.ts";
import { CHILD, ENDED_WELL } from "../../children/codes.ts";
import { concernsUndo, decideUndo, type JobEnding, type UndoDecision, type UndoLeft } from "../../decide/undo.ts";
import type { UndoStep } from "../../verbs/attempts.ts";
import { CANCEL_ASKED, HAS_UNDOS } from "../../waits/codes.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { type LockedRow, RUNS } from "../read/row.ts";
import { moveToTwin } from "../register/twin.ts";
import { readyTwinFor, whileHeldRow } from "./waits.ts";

const STORED_STEPS = `SELECT undo.id, 0 AS place, undo.job, undo.stage, undo.name, undo.handler, step.value
  FROM millrace.undo
  JOIN millrace.step ON step.job = undo.job AND step.stage = undo.stage AND step.name = undo.name
  WHERE undo.job = $1 AND undo.type = 'step'`;
// A child that failed or was cancelled has undone its own work. One that the job only joined belongs to others.
const COMPLETED_CHILDREN = `SELECT undo.id, edge.place, undo.job, undo.stage,
    undo.name || CASE WHEN edge.key = '' THEN '' ELSE ' [' || edge.key || ']' END AS name,
    undo.handler, coalesce(child.output, 'null') AS value
  FROM millrace.undo
  JOIN millrace.wait ON wait.job = undo.job AND wait.stage = undo.stage AND wait.type = undo.type AND wait.name = undo.name
  JOIN millrace.edge ON edge.wait = wait.id AND edge.type = ${CHILD} AND edge.state = ${ENDED_WELL}
  JOIN millrace.finished AS child ON child.id = edge.job
  WHERE undo.job = $1 AND undo.type = 'children'`;
const LEFT = `SELECT undo.stage, undo.name, undo.handler, undo.value
  FROM (${STORED_STEPS} UNION ALL ${COMPLETED_CHILDREN}) AS undo
  WHERE NOT EXISTS (
    SELECT 1
    FROM millrace.step AS done
    WHERE done.job = undo.job AND done.stage = undo.stage AND done.name = 'undo:' || undo.name
  )
  ORDER BY undo.id DESC, undo.place DESC`;
const ADD = `INSERT INTO millrace.undo (job, stage, type, name, handler)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (job, stage, type, name) DO NOTHING`;
const ENDING = "SELECT ending FROM millrace.workflow WHERE job = $1";
const SET_ENDING = `INSERT INTO millrace.workflow (job, ending)
  VALUES ($1, $2)
  ON CONFLICT (job) DO UPDATE SET ending = excluded.ending`;
const ASK_CANCEL = `UPDATE millrace.job SET flags = flags | ${CANCEL_ASKED}, updated_at = $2 WHERE id = $1`;
const ADD_FLAG = `UPDATE millrace.job SET flags = flags | ${HAS_UNDOS} WHERE id = $1`;
const HELD = `SELECT id, stage FROM millrace.job WHERE id = $1 AND token = $2 AND ${RUNS}`;

/** What an undo makes of a change. Undefined: the change concerns none. */
export async function undoDecision(
  tx: StatementRunner,
  row: LockedRow,
  change: Transition,
): Promise<UndoDecision | undefined> {
  if (!concernsUndo(row, change)) return undefined;
  const facts = { left: await left(tx, row.id), ending: await endingOf(tx, row.id) };
  const decision = decideUndo(row, change, facts, row.now);
  if (decision?.ending) await tx.run(SET_ENDING, [row.id, JSON.stringify(decision.ending)]);
  return decision;
}

/** Stores the name of the handler that undoes a step or children of the job. */
export async function addUndo(
  tx: StatementRunner,
  row: Pick<LockedRow, "id" | "stage">,
  undo: { type: "step" | "children"; name: string; handler: string },
): Promise<void> {
  await tx.run(ADD, [row.id, row.stage, undo.type, undo.name, undo.handler]);
}

/** Moves the job to the twin of its plan, so that processes of an older release leave it and its undos alone. */
export async function beginUndoable(core: Core, lease: Lease): Promise<WriteAnswer> {
  await readyTwinFor(core, lease);
  return whileHeldRow(core, lease, async (tx, row) => {
    await moveToTwin(core, tx, row);
    await tx.run(ADD_FLAG, [row.id]);
    const held = core.leases.get(row.id);
    if (held) held.flags |= HAS_UNDOS;
    return "written" as const;
  });
}

export async function undosLeft(core: Core, lease: Lease): Promise<UndoStep[] | "lease-lost"> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const [row] = await core.connections.write.run<{ stage: number }>(HELD, [key, lease.token]);
  if (!row) return "lease-lost";
  const ofStage = (await left(core.connections.write, key)).filter(({ stage }) => stage === row.stage);
  return ofStage.map(({ name, handler, value }) => ({ name, handler, value }));
}

/** Asks a running job to end. It runs on until its steps under way are stored. */
export async function askCancel(tx: StatementRunner, row: LockedRow, ending: JobEnding): Promise<void> {
  await tx.run(SET_ENDING, [row.id, JSON.stringify(ending)]);
  await tx.run(ASK_CANCEL, [row.id, row.now]);
}

function left(tx: StatementRunner, job: number): Promise<UndoLeft[]> {
  return tx.run<UndoLeft>(LEFT, [job]);
}

async function endingOf(tx: StatementRunner, job: number): Promise<JobEnding | undefined> {
  const [row] = await tx.run<{ ending: string | null }>(ENDING, [job]);
  return row?.ending ? (JSON.parse(row.ending) as JobEnding) : undefined;
}
