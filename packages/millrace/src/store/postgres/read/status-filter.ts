import { READY, SCHEDULED, SUSPECT } from "../../codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";

/** What a status word means for a row. A stage's own word: while it runs, or in a pipeline also while it waits there. */
export function statusCondition(core: Core, status: string): { phrase: string; bound: string[] } {
  const known = WORDS[status];
  if (known !== undefined) return { phrase: known, bound: [] };
  const several = manyStaged(core);
  if (status === "not-started") {
    return {
      phrase: "job.standing < 4 AND job.started_at IS NULL AND job.stage = ANY(?::int[])",
      bound: [numbers(several)],
    };
  }
  const named = core.names.allStages().filter((stage) => stage.name === status);
  const only = named.filter((stage) => !several.has(stage.id)).map((stage) => stage.id);
  const piped = named.filter((stage) => several.has(stage.id)).map((stage) => stage.id);
  return {
    phrase: `((job.standing = 4 AND job.stage = ANY(?::int[]))
      OR (job.standing < 5 AND job.started_at IS NOT NULL AND job.stage = ANY(?::int[])))`,
    bound: [numbers(only), numbers(piped)],
  };
}

const WORDS: Record<string, string> = {
  pending: "job.standing < 4",
  running: "job.standing = 4",
  completed: "job.standing = 5",
  done: "job.standing = 5",
  failed: "job.standing IN (6, 7)",
  cancelled: "job.standing = 8",
  scheduled: `job.standing = ${SCHEDULED}`,
  held: "job.standing = 3",
  retrying: `job.standing IN (${SCHEDULED}, ${READY}, ${SUSPECT}) AND job.failures + job.crashes > 0`,
};

/** The stages of plans that have more than one. */
function manyStaged(core: Core): Set<number> {
  const stages = core.names.allStages().filter((stage) => core.names.stagesOf(stage).length > 1);
  return new Set(stages.map((stage) => stage.id));
}
