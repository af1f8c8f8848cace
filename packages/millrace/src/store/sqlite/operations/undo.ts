import { type ActResult, REVIVAL_UNDONE, refuseUndoOf, standingBefore } from "../../decide/operations/operations.ts";
import { cancel } from "../control/cancel.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";

const UNLINK = "UPDATE job SET retried_as = NULL, standing = ?1, updated_at = ?2, finished_at = ?2 WHERE id = ?3";

/** Cancels the job that revived this one, if it has not started, and lets this one stand as before. */
export function undoRevival(core: Core, key: number, was: number | undefined): ActResult {
  const old = findRow(core, key);
  if (!old || old.retried_as === null) return "skipped";
  const refusal = refuseUndoOf(old, findRow(core, old.retried_as));
  if (refusal) return refusal;
  const [answer] = cancel(core, [core.ids.encode(old.retried_as)], REVIVAL_UNDONE);
  if (answer !== "done") return "skipped";
  const standing = standingBefore(was);
  core.statement(UNLINK).run(standing, core.clock.now(), key);
  core.counts.move(old.stage, old.tenant, old.standing, standing);
  return { changed: {} };
}
