// The workflow twin of a plan: the same kind and stages, marked as needing a newer engine. A job that waits, or that others
// wait for, moves there, so that processes of an older release leave it alone.

import { planHash, WORKFLOW_LEVEL } from "../../../job/kind/plan.ts";
import { HAS_STEPS, READY } from "../../codes.ts";
import type { StageRow } from "../../plans/catalog.ts";
import { HAS_UNDOS, HAS_WAITS } from "../../waits/codes.ts";
import { wakeLanes } from "../claim/lanes.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { PostgresJobRow } from "../read/row.ts";
import { bumpVersion, enterStages } from "./workers.ts";

const FIND_PLAN = "SELECT id FROM millrace.plan WHERE hash = $1";
const ADD_PLAN = `INSERT INTO millrace.plan (kind, stages, hash, first_seen, needs)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash
  RETURNING id`;
const MOVE_JOB = "UPDATE millrace.job SET stage = $2 WHERE id = $1";
const MOVE_STEPS = "UPDATE millrace.step SET stage = $2 WHERE job = $1 AND stage = $3";
const MOVE_UNDOS = "UPDATE millrace.undo SET stage = $2 WHERE job = $1 AND stage = $3";
const MOVE_WAITS = "UPDATE millrace.wait SET stage = $2 WHERE job = $1 AND stage = $3";

/** Makes the twin of a plan, with the stages of the same names. */
async function makeTwin(core: Core, stage: StageRow, now: number): Promise<void> {
  const names = core.names.stagesOf(stage).map(({ name }) => name);
  const hash = planHash(stage.kindName, names, WORKFLOW_LEVEL);
  // In a transaction of its own: a twin without jobs does no harm, and no other transaction waits for the caller's
  // commit.
  await core.connections.write.transact(async (tx) => {
    const [found] = await tx.run<{ id: number }>(FIND_PLAN, [hash]);
    if (!found) await bumpVersion(tx);
    const [row] = found
      ? [found]
      : await tx.run<{ id: number }>(ADD_PLAN, [stage.kind, JSON.stringify(names), hash, now, WORKFLOW_LEVEL]);
    await enterStages(tx, { kind: stage.kind, plan: row?.id as number, names, pin: stage.pin });
  });
  await core.names.load();
}

/** Makes the twins that the stages of these jobs need. Call it before the transaction that moves the jobs. */
export async function readyTwins(core: Core, stages: Iterable<number>, now: number): Promise<void> {
  for (const id of new Set(stages)) {
    const stage = core.names.stage(id);
    if (stage.plan !== undefined && core.names.twinOf(stage) === undefined) await makeTwin(core, stage, now);
  }
}

/** Moves a job to the twin of its stage, with everything that it stored under its stage. Returns its new row. */
export async function moveToTwin<Row extends Pick<PostgresJobRow, "id" | "stage" | "tenant" | "standing" | "flags">>(
  core: Core,
  tx: StatementRunner,
  row: Row,
): Promise<Row> {
  const twin = core.names.twinOf(core.names.stage(row.stage));
  if (!twin) throw new Error(`stage ${row.stage} has no twin yet`);
  if (twin.id === row.stage) return row;
  await tx.run(MOVE_JOB, [row.id, twin.id]);
  if (row.flags & HAS_STEPS) await tx.run(MOVE_STEPS, [row.id, twin.id, row.stage]);
  if (row.flags & HAS_WAITS) await tx.run(MOVE_WAITS, [row.id, twin.id, row.stage]);
  if (row.flags & HAS_UNDOS) await tx.run(MOVE_UNDOS, [row.id, twin.id, row.stage]);
  if (row.standing === READY) await wakeLanes(tx, [{ stage: twin.id, tenant: row.tenant }]);
  const held = core.leases.get(row.id);
  if (held) held.stage = twin.id;
  return { ...row, stage: twin.id };
}
