import { CANCELLED, COMPLETED, FAILED, HELD, READY, REJECTED, RUNNING, SCHEDULED, SUSPECT } from "../../codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";

/** What a status word means for a row. A stage's own word: while it runs, or in a pipeline also while it waits there. */
export function statusCondition(core: Core, status: string): { phrase: string; bound: string[] } {
  const known = WORDS[status];
  if (known !== undefined) return { phrase: known, bound: [] };
  const several = manyStaged(core);
  if (status === "not-started") {
    return {
      phrase: `job.standing < ${RUNNING} AND job.started_at IS NULL AND job.stage = ANY(?::int[])`,
      bound: [numbers(several)],
    };
  }
  const named = core.names.allStages().filter((stage) => stage.name === status);
  const only = named.filter((stage) => !several.has(stage.id)).map((stage) => stage.id);
  const piped = named.filter((stage) => several.has(stage.id)).map((stage) => stage.id);
  return {
    phrase: `((job.standing = ${RUNNING} AND job.stage = ANY(?::int[]))
      OR (job.standing < ${COMPLETED} AND job.started_at IS NOT NULL AND job.stage = ANY(?::int[])))`,
    bound: [numbers(only), numbers(piped)],
  };
}

const WORDS: Record<string, string> = {
  pending: `job.standing < ${RUNNING}`,
  running: `job.standing = ${RUNNING}`,
  completed: `job.standing = ${COMPLETED}`,
  done: `job.standing = ${COMPLETED}`,
  failed: `job.standing IN (${FAILED}, ${REJECTED})`,
  cancelled: `job.standing = ${CANCELLED}`,
  scheduled: `job.standing = ${SCHEDULED}`,
  held: `job.standing = ${HELD}`,
  retrying: `job.standing IN (${SCHEDULED}, ${READY}, ${SUSPECT}) AND job.failures + job.crashes > 0`,
};

/** The stages of plans that have more than one. */
function manyStaged(core: Core): Set<number> {
  const stages = core.names.allStages().filter((stage) => core.names.stagesOf(stage).length > 1);
  return new Set(stages.map((stage) => stage.id));
}
