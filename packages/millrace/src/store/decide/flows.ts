import { HAS_EDGES, HAS_WAITER } from "../children/codes.ts";
import type { NewFlow } from "../verbs/batches.ts";
import type { Submission } from "../verbs/submission.ts";
import { HAS_WAITS, NEVER, WAITING } from "../waits/codes.ts";

/** The jobs of a flow as they are stored: those with dependencies wait, and the others are marked as waited for. */
export function withPlaces({ places, ...submission }: NewFlow): Submission {
  const awaited = new Set(places.flatMap(({ after }) => after));
  return {
    ...submission,
    jobs: submission.jobs.map((job, i) => {
      const waits = (places[i]?.after.length ?? 0) > 0;
      const flags = (awaited.has(i) ? HAS_WAITER : 0) | (waits ? HAS_EDGES | HAS_WAITS | WAITING : 0);
      return { ...job, ...(flags !== 0 && { flags }), ...(waits && { runAt: NEVER }) };
    }),
  };
}
