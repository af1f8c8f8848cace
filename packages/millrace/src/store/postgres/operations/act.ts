import { type ActResult, stillFits } from "../../decide/operations/operations.ts";
import type { OperationRow } from "../../rows/operation-row.ts";
import type { CancelAnswer, ControlAnswer } from "../../verbs/jobs.ts";
import type { OperationRequest } from "../../verbs/operations/operations.ts";
import { numbers } from "../connection/arrays.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import { cancelBatch } from "../control/cancel.ts";
import { forgetIn, lockRow, releaseIn, reviveIn } from "../control/control.ts";
import type { Core } from "../core.ts";
import { updateIn } from "../followers/update.ts";
import type { LockedRow } from "../read/row.ts";
import type { StageRooms } from "./rooms.ts";

export interface OneAct {
  readonly key: number;
  readonly jobId: string;
  readonly uniqueKey: string | undefined;
}

export interface ActSurroundings {
  readonly operation: OperationRow;
  readonly request: OperationRequest;
  readonly rooms: StageRooms;
}

/** Does to one job what the operation does to all, by the function of the single act. */
export async function actOn(core: Core, tx: OwnTransaction, act: OneAct, around: ActSurroundings): Promise<ActResult> {
  const { operation, request, rooms } = around;
  const row = await lockRow(core, tx, act.key);
  if (!stillFits(row, operation)) return "skipped";
  if (operation.action === "release") {
    if (!(await rooms.take(core.names.stage(row.stage)))) return "full";
    return resultOf(await releaseIn(core, tx, act.key, request.answer));
  }
  if (operation.action === "reprioritise") {
    const answer = await updateIn(core, tx, act.key, { priority: request.priority ?? 0 });
    return resultOf(typeof answer === "object" && "updated" in answer ? "done" : answer);
  }
  return reviveOne(core, tx, row, { ...act, ...around });
}

async function reviveOne(
  core: Core,
  tx: OwnTransaction,
  row: LockedRow,
  { key, uniqueKey, request, rooms }: OneAct & ActSurroundings,
): Promise<ActResult> {
  const failed = core.names.stage(row.stage);
  const { from = "failed-stage" } = request;
  if (!(await rooms.take(from === "start" ? (core.names.stagesOf(failed)[0] ?? failed) : failed))) return "full";
  const answer = await reviveIn(core, tx, key, {
    from,
    ...(uniqueKey !== undefined && { uniqueKey }),
  });
  if (answer === "not-found") return "skipped";
  if ("revived" in answer) return { changed: { as: answer.revived }, was: row.standing };
  return { code: answer.code, message: answer.conflict };
}

const STANDINGS = "SELECT id, standing FROM millrace.every_job AS job WHERE id = ANY($1::bigint[])";

/** Cancels or deletes several jobs by few statements. */
export async function actOnAll(
  core: Core,
  tx: OwnTransaction,
  acts: readonly OneAct[],
  { operation, request }: ActSurroundings,
): Promise<ActResult[]> {
  const keys = acts.map(({ key }) => key);
  const found = await tx.run<{ id: number; standing: number }>(STANDINGS, [numbers(keys)]);
  const among = new Set(JSON.parse(operation.among) as number[]);
  const fitting = new Set(found.flatMap(({ id, standing }) => (among.has(standing) ? [id] : [])));
  const fits = acts.filter(({ key }) => fitting.has(key));
  const answers: CancelAnswer[] =
    operation.action === "cancel"
      ? await cancelBatch(
          core,
          tx,
          fits.map(({ jobId }) => jobId),
          { reason: request.reason ?? "", unlessJoined: false },
        )
      : await forgetIn(
          core,
          tx,
          fits.map(({ key }) => key),
        );
  const results = new Map(fits.map(({ key }, i) => [key, resultOf(answers[i] ?? "not-found")]));
  return acts.map(({ key }) => results.get(key) ?? "skipped");
}

function resultOf(answer: CancelAnswer | ControlAnswer): ActResult {
  if (answer === "done") return { changed: {} };
  if (answer === "not-found") return "skipped";
  if ("conflict" in answer) return { code: "conflict", message: answer.conflict };
  const { running } = answer;
  return {
    changed: { ...(running && { token: running.token }), ...("undoing" in answer && { undoing: true as const }) },
  };
}
