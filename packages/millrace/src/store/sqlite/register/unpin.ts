// A removed deployment's jobs are handed to the newest one. A stage row belongs to one plan and one pin, so a job moves to the row
// of the same plan and name, with all that it stored under its rows.

import { HAS_ATTEMPTS, HAS_STEPS, RUNNING } from "../../codes.ts";
import { deploymentHasWorkers } from "../../decide/release.ts";
import type { StageRow } from "../../plans/catalog.ts";
import { UNPINNED } from "../../plans/deployment.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import { HAS_WAITS } from "../../waits/codes.ts";
import { buryDead } from "../control/expiry.ts";
import type { Core } from "../core.ts";
import { moveUnfinished } from "./planless.ts";
import { bumpVersion, enterStages } from "./workers.ts";

const FIND = "SELECT id FROM deployment WHERE label = ?";
const HAS_WORKERS = "SELECT 1 FROM worker WHERE deployment = ? LIMIT 1";
const PINNED_PLANS = `SELECT DISTINCT stage.kind, stage.plan, plan.stages FROM stage JOIN plan ON plan.id = stage.plan WHERE pin = ?`;
const NEWEST = `SELECT CASE WHEN pinned THEN deployment ELSE 0 END AS pin FROM worker JOIN deployment ON deployment.id = worker.deployment
  WHERE kind = ? ORDER BY number DESC LIMIT 1`;
const MOVES = `SELECT old.id AS "from", new.id AS "to", old.scheduled + old.ready + old.suspect + old.held AS jobs
  FROM stage AS old JOIN stage AS new ON new.kind = old.kind AND new.name = old.name AND new.plan = old.plan
  WHERE old.pin = ?1 AND old.kind = ?2 AND new.pin = ?3`;
const WITH_BELONGINGS = `SELECT id FROM job WHERE stage = ? AND standing < ${RUNNING} AND flags & ${HAS_STEPS | HAS_ATTEMPTS | HAS_WAITS}`;
const MOVE_BELONGINGS = ["step", "attempt", "wait", "undo"].map(
  (table) => `UPDATE ${table} SET stage = ?2 WHERE job IN (SELECT value FROM json_each(?3)) AND stage = ?1`,
);
const MARK_UNPINNED = `UPDATE deployment SET living_since = ${UNPINNED} WHERE id = ?`;
const OUTSIDE_PIN = `SELECT id FROM stage WHERE kind = ?1 AND name = ?2 AND plan = ?3 AND pin = 0
  AND EXISTS (SELECT 1 FROM deployment WHERE deployment.id = ?4 AND living_since = ${UNPINNED})`;

interface Move {
  from: number;
  to: number;
  jobs: number;
}

/** Dead processes are buried first: their workers no longer count. */
export function unpin(core: Core, label: string): ControlAnswer {
  buryDead(core);
  const deployment = core.statement(FIND).get(label) as { id: number } | undefined;
  if (!deployment) return "not-found";
  if (core.statement(HAS_WORKERS).get(deployment.id)) return deploymentHasWorkers(label);
  core.counts.flush();
  const plans = core.statement(PINNED_PLANS).all(deployment.id) as { kind: number; plan: number; stages: string }[];
  for (const kind of new Set(plans.map((plan) => plan.kind))) {
    const newest = core.statement(NEWEST).get(kind) as { pin: number } | undefined;
    const pin = newest?.pin ?? 0;
    for (const { plan, stages } of plans.filter((each) => each.kind === kind)) {
      // Rows without a pin are for dead letters that are revived later.
      for (const each of new Set([0, pin])) enterStages(core, kind, plan, JSON.parse(stages), each);
    }
    const moves = core.statement(MOVES).all(deployment.id, kind, pin) as unknown as Move[];
    const occupied = moves.filter(({ jobs }) => jobs > 0);
    const jobs = occupied.flatMap(({ from }) => core.statement(WITH_BELONGINGS).all(from) as { id: number }[]);
    // Steps of earlier stages stand under the rows of those stages.
    if (jobs.length > 0) moveBelongings(core, moves, JSON.stringify(jobs.map(({ id }) => id)));
    for (const { from, to } of occupied) moveUnfinished(core, from, to);
  }
  core.statement(MARK_UNPINNED).run(deployment.id);
  bumpVersion(core);
  return "done";
}

function moveBelongings(core: Core, moves: readonly Move[], jobs: string): void {
  for (const { from, to } of moves) for (const sql of MOVE_BELONGINGS) core.statement(sql).run(from, to, jobs);
}

/** Where a revived job goes on: not pinned to a deployment that was unpinned since it failed. */
export function outsidePin(core: Core, stage: StageRow): StageRow {
  if (stage.pin === 0 || stage.plan === undefined) return stage;
  const row = core.statement(OUTSIDE_PIN).get(stage.kind, stage.name, stage.plan, stage.pin) as
    | { id: number }
    | undefined;
  return row ? core.names.stage(row.id) : stage;
}

/** Moves what a revived job copied from a job that was pinned elsewhere. */
export function repin(core: Core, key: number, { from, to }: { from: StageRow; to: StageRow }): void {
  if (from.pin === to.pin) return;
  const moves = core.statement(MOVES).all(from.pin, from.kind, to.pin) as unknown as Move[];
  moveBelongings(core, moves, JSON.stringify([key]));
}
