// Jobs that were accepted before any plan of their kind was known get one from the first worker, in the same commit.

import { RUNNING } from "../../codes.ts";
import type { Core } from "../core.ts";

const WAITING = `SELECT stage.id FROM stage JOIN kind ON kind.id = stage.kind WHERE kind.name = ? AND stage.plan IS NULL
  AND scheduled + ready + suspect + held > 0`;
const MOVE_JOBS = `UPDATE job SET stage = ?2 WHERE stage = ?1 AND standing < ${RUNNING}`;
const MOVE_LANES = `INSERT INTO lane (stage, tenant, turn, ready, blocked) SELECT ?2, tenant, turn, ready, blocked FROM lane
  WHERE stage = ?1 AND ready > 0 ON CONFLICT (stage, tenant) DO UPDATE SET ready = ready + excluded.ready`;
const DROP_LANES = "DELETE FROM lane WHERE stage = ?";
const ADD_COUNTS = `UPDATE stage SET scheduled = stage.scheduled + old.scheduled, ready = stage.ready + old.ready,
  suspect = stage.suspect + old.suspect, held = stage.held + old.held FROM stage AS old WHERE old.id = ?1 AND stage.id = ?2`;
const CLEAR_COUNTS = "UPDATE stage SET scheduled = 0, ready = 0, suspect = 0, held = 0 WHERE id = ?";

export function givePlan(core: Core, kind: string): void {
  const waiting = core.statement(WAITING).get(kind) as { id: number } | undefined;
  const first = core.names.firstStage(kind);
  if (waiting && first && first.id !== waiting.id) moveUnfinished(core, waiting.id, first.id);
}

/**
 * Moves all unfinished jobs of one stage row to another, with their lanes and counters. None of them may be running.
 */
export function moveUnfinished(core: Core, from: number, to: number): void {
  core.counts.flush();
  core.statement(MOVE_JOBS).run(from, to);
  core.statement(MOVE_LANES).run(from, to);
  core.statement(DROP_LANES).run(from);
  core.statement(ADD_COUNTS).run(from, to);
  core.statement(CLEAR_COUNTS).run(from);
}
