import { CANCELLED, COMPLETED, FAILED, HELD, READY, REJECTED, RUNNING, SCHEDULED, SUSPECT } from "../../codes.ts";
import { stagesAmongOthers, stagesOfStatus } from "../../plans/filtered-stages.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";

/**
 * The condition on a row for a status. The name of a stage means that the job runs there, or in a pipeline also that it
 * waits there.
 */
export function statusCondition(core: Core, status: string): { phrase: string; bound: string[] } {
  const known = WORDS[status];
  if (known !== undefined) return { phrase: known, bound: [] };
  if (status === "not-started") {
    return {
      phrase: `job.standing < ${RUNNING} AND job.started_at IS NULL AND job.stage = ANY(?::int[])`,
      bound: [numbers(stagesAmongOthers(core.names))],
    };
  }
  const { only, amongOthers } = stagesOfStatus(core.names, status);
  return {
    phrase: `((job.standing = ${RUNNING} AND job.stage = ANY(?::int[]))
      OR (job.standing < ${COMPLETED} AND job.started_at IS NOT NULL AND job.stage = ANY(?::int[])))`,
    bound: [numbers(only), numbers(amongOthers)],
  };
}

const WORDS: Record<string, string> = {
  pending: `job.standing < ${RUNNING}`,
  running: `job.standing = ${RUNNING}`,
  completed: `job.standing = ${COMPLETED}`,
  done: `job.standing = ${COMPLETED}`,
  failed: `job.standing IN (${FAILED}, ${REJECTED})`,
  "dead-letter": `job.standing = ${FAILED}`,
  cancelled: `job.standing = ${CANCELLED}`,
  scheduled: `job.standing = ${SCHEDULED}`,
  held: `job.standing = ${HELD}`,
  retrying: `job.standing IN (${SCHEDULED}, ${READY}, ${SUSPECT}) AND job.failures + job.crashes > 0`,
};
