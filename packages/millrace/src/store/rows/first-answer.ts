import type { LastWays, NewJob } from "../verbs/submission.ts";

/** What is stored with an idempotency key: enough to answer as the first time when the jobs themselves are deleted. */
export interface FirstAnswer {
  /** The keys of the jobs. Missing until they are stored. */
  keys?: number[];
  traceId?: string;
  /** The indexes of the jobs that existed before. Missing: there are none. */
  joined?: number[];
  /** How jobs were accepted that were neither new nor joined, by their index. Missing: there are none. */
  ways?: LastWays;
}

export function firstAnswerOf(
  [first]: readonly NewJob[],
  { joined, ways }: { joined: number[]; ways: LastWays | undefined },
): FirstAnswer {
  return {
    ...(first?.traceId !== undefined && { traceId: first.traceId }),
    ...(joined.length > 0 && { joined }),
    ...(ways && { ways }),
  };
}
