import { CANCELLED, COMPLETED, FAILED, HELD, READY, REJECTED, RUNNING, SCHEDULED, SUSPECT } from "../../codes.ts";
import { stagesAmongOthers, stagesOfStatus } from "../../plans/filtered-stages.ts";
import type { ReadView } from "../core.ts";

/**
 * The condition on a row for a status. The name of a stage means that the job runs there, or in a pipeline also that it
 * waits there.
 */
export function statusCondition(core: ReadView, status: string): { phrase: string; bound: (string | number)[] } {
  const known = WORDS[status];
  if (known !== undefined) return { phrase: known, bound: [] };
  if (status === "not-started") {
    return {
      phrase: `standing < ${RUNNING} AND started_at IS NULL AND stage IN ${LISTED}`,
      bound: [JSON.stringify(stagesAmongOthers(core.names))],
    };
  }
  const { only, amongOthers } = stagesOfStatus(core.names, status);
  return {
    phrase: `((standing = ${RUNNING} AND stage IN ${LISTED}) OR (standing < ${COMPLETED} AND started_at IS NOT NULL AND stage IN ${LISTED}))`,
    bound: [JSON.stringify(only), JSON.stringify(amongOthers)],
  };
}

const LISTED = "(SELECT value FROM json_each(?))";

const WORDS: Record<string, string> = {
  pending: `standing < ${RUNNING}`,
  running: `standing = ${RUNNING}`,
  completed: `standing = ${COMPLETED}`,
  done: `standing = ${COMPLETED}`,
  failed: `standing IN (${FAILED}, ${REJECTED})`,
  "dead-letter": `standing = ${FAILED}`,
  cancelled: `standing = ${CANCELLED}`,
  scheduled: `standing = ${SCHEDULED}`,
  held: `standing = ${HELD}`,
  retrying: `standing IN (${SCHEDULED}, ${READY}, ${SUSPECT}) AND failures + crashes > 0`,
};
