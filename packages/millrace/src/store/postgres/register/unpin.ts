// A removed deployment's jobs are handed to the newest one. A stage row belongs to one plan and one pin, so a job moves to the row
// of the same plan and name, with all that it stored under its rows.

import { HAS_ATTEMPTS, HAS_STEPS, RUNNING } from "../../codes.ts";
import { deploymentHasWorkers } from "../../decide/release.ts";
import { UNPINNED } from "../../plans/deployment.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import { HAS_WAITS } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { buryDead } from "../control/expiry.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "./names.ts";
import { moveUnfinished } from "./planless.ts";
import { bumpVersion, enterStages } from "./workers.ts";

const FIND = "SELECT id FROM millrace.deployment WHERE label = $1 FOR UPDATE";
const HAS_WORKERS = "SELECT 1 FROM millrace.worker WHERE deployment = $1 LIMIT 1";
const PINNED_PLANS = `SELECT DISTINCT stage.kind, stage.plan, plan.stages FROM millrace.stage JOIN millrace.plan ON plan.id = stage.plan
  WHERE pin = $1`;
const NEWEST = `SELECT CASE WHEN pinned THEN deployment ELSE 0 END AS pin FROM millrace.worker
  JOIN millrace.deployment ON deployment.id = worker.deployment WHERE kind = $1 ORDER BY number DESC LIMIT 1`;
const MOVES = `SELECT old.id AS "from", new.id AS "to" FROM millrace.stage AS old
    JOIN millrace.stage AS new ON new.kind = old.kind AND new.name = old.name AND new.plan = old.plan
  WHERE old.pin = $1 AND old.kind = $2 AND new.pin = $3`;
const WITH_BELONGINGS = `SELECT id FROM millrace.job WHERE stage = ANY($1::int[]) AND standing < ${RUNNING}
  AND flags & ${HAS_STEPS | HAS_ATTEMPTS | HAS_WAITS} <> 0`;
const MOVE_BELONGINGS = ["step", "attempt", "wait", "undo"].map(
  (table) => `UPDATE millrace.${table} SET stage = $2 WHERE job = ANY($3::bigint[]) AND stage = $1`,
);
const MARK_UNPINNED = `UPDATE millrace.deployment SET living_since = ${UNPINNED} WHERE id = $1`;
const OUTSIDE_PIN = `SELECT id FROM millrace.stage WHERE kind = $1 AND name = $2 AND plan = $3 AND pin = 0
  AND EXISTS (SELECT 1 FROM millrace.deployment WHERE deployment.id = $4 AND living_since = ${UNPINNED})`;

interface Move {
  from: number;
  to: number;
}

/** Dead processes are buried first: their workers no longer count. */
export async function unpin(core: Core, label: string): Promise<ControlAnswer> {
  await buryDead(core);
  const answer = await core.connections.write.transact(async (tx): Promise<ControlAnswer> => {
    await bumpVersion(tx);
    const [deployment] = await tx.run<{ id: number }>(FIND, [label]);
    if (!deployment) return "not-found";
    if ((await tx.run(HAS_WORKERS, [deployment.id])).length > 0) return deploymentHasWorkers(label);
    const plans = await tx.run<PinnedPlan>(PINNED_PLANS, [deployment.id]);
    for (const kind of new Set(plans.map((plan) => plan.kind))) {
      const own = plans.filter((plan) => plan.kind === kind);
      await unpinKind(tx, kind, own, deployment.id);
    }
    await tx.run(MARK_UNPINNED, [deployment.id]);
    return "done";
  });
  await core.names.load();
  core.voice.say("work");
  return answer;
}

interface PinnedPlan {
  kind: number;
  plan: number;
  stages: string;
}

async function unpinKind(tx: StatementRunner, kind: number, plans: PinnedPlan[], deployment: number): Promise<void> {
  const [newest] = await tx.run<{ pin: number }>(NEWEST, [kind]);
  const pin = newest?.pin ?? 0;
  for (const { plan, stages } of plans) {
    // Rows without a pin are for dead letters that are revived later.
    for (const each of new Set([0, pin]))
      await enterStages(tx, { kind, plan, names: JSON.parse(stages) as string[], pin: each });
  }
  const moves = await tx.run<Move>(MOVES, [deployment, kind, pin]);
  const jobs = await tx.run<{ id: number }>(WITH_BELONGINGS, [numbers(moves.map(({ from }) => from))]);
  // Steps of earlier stages stand under the rows of those stages.
  if (jobs.length > 0) await moveBelongings(tx, moves, numbers(jobs.map(({ id }) => id)));
  for (const { from, to } of moves) await moveUnfinished(tx, from, to);
}

async function moveBelongings(tx: StatementRunner, moves: readonly Move[], jobs: string): Promise<void> {
  for (const { from, to } of moves) for (const sql of MOVE_BELONGINGS) await tx.run(sql, [from, to, jobs]);
}

/** Where a revived job goes on: not pinned to a deployment that was unpinned since it failed. */
export async function outsidePin(core: Core, tx: StatementRunner, stage: StageRow): Promise<StageRow> {
  if (stage.pin === 0 || stage.plan === undefined) return stage;
  const [row] = await tx.run<{ id: number }>(OUTSIDE_PIN, [stage.kind, stage.name, stage.plan, stage.pin]);
  if (!row) return stage;
  // The process that unpinned it may have made the row.
  await core.names.knowStages([row.id]);
  return core.names.stage(row.id);
}

/** Moves what a revived job copied from a job that was pinned elsewhere. */
export async function repin(
  tx: StatementRunner,
  key: number,
  { from, to }: { from: StageRow; to: StageRow },
): Promise<void> {
  if (from.pin === to.pin) return;
  const moves = await tx.run<Move>(MOVES, [from.pin, from.kind, to.pin]);
  await moveBelongings(tx, moves, numbers([key]));
}
