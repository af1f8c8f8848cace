import { type ActResult, stillFits } from "../../decide/operations/operations.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { OperationRow } from "../../rows/operation-row.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { OperationRequest } from "../../verbs/operations/operations.ts";
import { cancel } from "../control/cancel.ts";
import { forget, release, revive } from "../control/control.ts";
import type { Core } from "../core.ts";
import { update } from "../followers/update.ts";
import { findRow } from "../read/row.ts";
import type { StageRooms } from "./rooms.ts";

export interface OneAct {
  readonly key: number;
  readonly jobId: string;
  readonly uniqueKey: string | undefined;
  readonly request: OperationRequest;
  readonly rooms: StageRooms;
}

/** Does to one job what the operation does to all, by the function of the single act. */
export function actOn(core: Core, operation: OperationRow, act: OneAct): ActResult {
  const { key, jobId, request } = act;
  const row = findRow(core, key);
  if (!stillFits(row, operation)) return "skipped";
  switch (operation.action) {
    case "revive":
    case "retry":
      return reviveOne(core, row, act);
    case "cancel":
      return cancelOne(core, jobId, request.reason ?? "");
    case "release":
      if (!act.rooms.take(core.names.stage(row.stage))) return "full";
      return resultOf(release(core, jobId, request.answer));
    case "reprioritise": {
      const answer = update(core, jobId, { priority: request.priority ?? 0 });
      return resultOf(typeof answer === "object" && "updated" in answer ? "done" : answer);
    }
    default:
      return resultOf(forget(core, [jobId])[0] ?? "not-found");
  }
}

function reviveOne(core: Core, row: JobRow, { jobId, uniqueKey, request, rooms }: OneAct): ActResult {
  const failed = core.names.stage(row.stage);
  const { from = "failed-stage" } = request;
  if (!rooms.take(from === "start" ? (core.names.stagesOf(failed)[0] ?? failed) : failed)) return "full";
  const answer = revive(core, jobId, { from, ...(uniqueKey !== undefined && { uniqueKey }) });
  if (answer === "not-found") return "skipped";
  if ("revived" in answer) return { changed: { as: answer.revived }, was: row.standing };
  return { code: answer.code, message: answer.conflict };
}

function cancelOne(core: Core, jobId: string, reason: string): ActResult {
  const [answer] = cancel(core, [jobId], reason);
  if (typeof answer !== "object") return resultOf(answer ?? "not-found");
  if ("conflict" in answer) return { code: "conflict", message: answer.conflict };
  const { running } = answer;
  return {
    changed: { ...(running && { token: running.token }), ...("undoing" in answer && { undoing: true as const }) },
  };
}

function resultOf(answer: ControlAnswer): ActResult {
  if (answer === "done") return { changed: {} };
  return answer === "not-found" ? "skipped" : { code: "conflict", message: answer.conflict };
}
