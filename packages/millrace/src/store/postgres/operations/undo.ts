import { type ActResult, REVIVAL_UNDONE, refuseUndoOf, standingBefore } from "../../decide/operations/operations.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import { cancelBatch } from "../control/cancel.ts";
import { lockRow } from "../control/control.ts";
import type { Core } from "../core.ts";

const UNLINK = `UPDATE millrace.finished SET retried_as = NULL, standing = $1, updated_at = $2, finished_at = $2 WHERE id = $3`;
const REASON = { reason: REVIVAL_UNDONE, unlessJoined: false };

/** Cancels the job that revived this one, if it has not started, and lets this one stand as before. */
export async function undoRevival(
  core: Core,
  tx: OwnTransaction,
  key: number,
  was: number | undefined,
): Promise<ActResult> {
  const old = await lockRow(core, tx, key);
  if (!old || old.retried_as === null) return "skipped";
  const refusal = refuseUndoOf(old, await lockRow(core, tx, old.retried_as));
  if (refusal) return refusal;
  const [answer] = await cancelBatch(core, tx, [core.ids.encode(old.retried_as)], REASON);
  if (answer !== "done") return "skipped";
  await tx.run(UNLINK, [standingBefore(was), old.now, key]);
  return { changed: {} };
}
