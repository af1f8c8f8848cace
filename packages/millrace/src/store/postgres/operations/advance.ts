import { type ActResult, ActTally, allowance, QUEUE_FULL, QUEUE_WAIT_MS } from "../../decide/operations/operations.ts";
import { COMPLETE, jobsOfPart, type OperationRow, operationOf, RUNS } from "../../rows/operation-row.ts";
import type { AdvanceAnswer, OperationAdvance, OperationRequest } from "../../verbs/operations/operations.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import { readyRevivals } from "../control/control.ts";
import type { Core } from "../core.ts";
import { type ActSurroundings, actOn, actOnAll, type OneAct } from "./act.ts";
import { findOperation, type LockedOperation, lockOperation } from "./operations.ts";
import { StageRooms } from "./rooms.ts";
import { undoRevival } from "./undo.ts";

const PART = "SELECT count, jobs FROM millrace.operation_part WHERE operation = $1 AND part = $2";
const NEXT_PART = "SELECT min(part) AS part FROM millrace.operation_part WHERE operation = $1 AND part > $2";
const ADD_DONE = `INSERT INTO millrace.operation_done (operation, part, count, jobs)
  SELECT $1::bigint, 1 + coalesce(max(part), -1), $2::int, $3::text FROM millrace.operation_done WHERE operation = $1::bigint`;
const ADVANCE = `UPDATE millrace.operation SET done = $2, skipped = $3, failed = $4, errors = $5, part = $6, place = $7, paced_at = $8,
    rate = $9, rate_since = $10, rate_count = $11, waits_for = $12, state = $13, updated_at = $14, ended_at = $15
  WHERE id = $1 RETURNING *`;
const REVIVED =
  "SELECT retried_as AS id FROM millrace.finished WHERE id = ANY($1::bigint[]) AND retried_as IS NOT NULL";
const MOMENT = `SELECT ${NOW} AS now`;

/** How many rows one statement locks at most. */
const AT_ONCE = 50;

export async function advanceOperation(
  core: Core,
  operationId: string,
  { cursor, jobs, budgetMs }: OperationAdvance,
): Promise<AdvanceAnswer> {
  const known = await findOperation(core, operationId);
  if (known?.state !== "running") return "moved";
  const acts = jobs.map(({ jobId, uniqueKey }) => ({ jobId, uniqueKey, key: core.ids.decode(jobId) ?? -1 }));
  await readyToAdvance(
    core,
    known.action,
    acts.map(({ key }) => key),
  );
  const answer = await core.connections.write.transact(async (tx): Promise<AdvanceAnswer> => {
    const row = await lockOperation(core, tx, operationId);
    if (row?.state !== RUNS || row.part !== cursor.part || row.place !== cursor.place) return "moved";
    const { count, waitMs } = allowance(row, row.now);
    if (waitMs !== undefined) return { operation: operationOf(row, core.operationIds), changed: [], waitMs };
    const tally = new ActTally(row);
    const isFull = await act(core, tx, tally, { row, acts: acts.slice(0, count), until: performance.now() + budgetMs });
    const operation = operationOf(await written(core, tx, row, { tally, isFull }), core.operationIds);
    return { operation, changed: tally.changed, ...(isFull && { waitMs: QUEUE_WAIT_MS }) };
  });
  if (answer !== "moved") say(core, answer);
  return answer;
}

function say(core: Core, { operation, changed }: Exclude<AdvanceAnswer, "moved">): void {
  if (changed.length === 0) return;
  if (operation.action === "cancel" && changed.some(({ token }) => token !== undefined)) core.voice.say("revoked");
  core.voice.say(operation.action === "cancel" || operation.action === "delete" ? "end" : "work");
}

interface ActBatch {
  readonly row: LockedOperation;
  readonly acts: readonly OneAct[];
  readonly until: number;
}

/** Returns true if a queue had no room for the next job. */
async function act(core: Core, tx: OwnTransaction, tally: ActTally, { row, acts, until }: ActBatch): Promise<boolean> {
  const request = JSON.parse(row.request) as OperationRequest;
  const around: ActSurroundings = { operation: row, request, rooms: new StageRooms(core, tx) };
  const add = (one: OneAct, result: Exclude<ActResult, "full">) => tally.add(one.jobId, one.key, result);
  if (row.action === "cancel" || row.action === "delete") {
    for (let i = 0; i < acts.length && (i === 0 || performance.now() < until); i += AT_ONCE) {
      const some = acts.slice(i, i + AT_ONCE);
      const results = await actOnAll(core, tx, some, around);
      for (const [k, one] of some.entries()) add(one, results[k] as Exclude<ActResult, "full">);
    }
    return false;
  }
  const before = row.action === "undo" ? await standingsBefore(tx, row) : undefined;
  for (const [i, one] of acts.entries()) {
    if (i > 0 && performance.now() >= until) return false;
    const result = before
      ? await undoRevival(core, tx, one.key, before.get(one.key))
      : await actOn(core, tx, one, around);
    if (result === "full") return true;
    add(one, result);
  }
  return false;
}

async function standingsBefore(
  tx: OwnTransaction,
  { id, part }: OperationRow,
): Promise<Map<number, number | undefined>> {
  const [found] = await tx.run<{ jobs: string }>(PART, [id, part]);
  return new Map(jobsOfPart(found?.jobs ?? "[]").map(({ key, was }) => [key, was]));
}

async function written(
  core: Core,
  tx: OwnTransaction,
  row: LockedOperation,
  { tally, isFull }: { tally: ActTally; isFull: boolean },
): Promise<OperationRow> {
  const { undoable } = tally;
  if (undoable.length > 0) await tx.run(ADD_DONE, [row.id, undoable.length, JSON.stringify(undoable)]);
  const [moment] = await tx.run<{ now: number }>(MOMENT, [core.clock.given]);
  const now = moment?.now as number;
  const progress = tally.progress(now, isFull ? QUEUE_FULL : null);
  const [found] = await tx.run<{ count: number }>(PART, [row.id, row.part]);
  const isPartDone = progress.place >= (found?.count ?? 0);
  const [next] = isPartDone
    ? await tx.run<{ part: number | null }>(NEXT_PART, [row.id, row.part])
    : [{ part: row.part }];
  const part = next?.part ?? null;
  const [updated] = await tx.run<OperationRow>(ADVANCE, [
    row.id,
    progress.done,
    progress.skipped,
    progress.failed,
    progress.errors,
    part ?? row.part,
    isPartDone ? 0 : progress.place,
    progress.paced_at,
    part === null ? 0 : progress.rate,
    progress.rate_since,
    progress.rate_count,
    progress.waits_for,
    part === null ? COMPLETE : RUNS,
    now,
    part === null ? now : null,
  ]);
  return updated as OperationRow;
}

/**
 * Runs before the transaction. It opens bundles of this process that hold one of the jobs, and makes the twins of plans
 * on which jobs that others wait for are revived.
 */
async function readyToAdvance(core: Core, action: string, keys: readonly number[]): Promise<void> {
  if (action === "revive" || action === "retry") await readyRevivals(core, keys);
  const revived =
    action === "undo" ? await core.connections.write.run<{ id: number }>(REVIVED, [numbers([...keys])]) : [];
  await core.bundles.openFor([...keys, ...revived.map(({ id }) => id)]);
}
