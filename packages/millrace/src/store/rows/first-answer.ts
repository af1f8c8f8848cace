import type { NewJob } from "../verbs/submission.ts";

/** What is stored with an idempotency key: enough to answer as the first time when the jobs themselves are deleted. */
export interface FirstAnswer {
  /** The keys of the jobs. Missing until they are stored. */
  keys?: number[];
  traceId?: string;
  /** The indexes of the jobs that existed before. Missing: there are none. */
  joined?: number[];
}

export function firstAnswerOf([first]: readonly NewJob[], joined: number[]): FirstAnswer {
  return {
    ...(first?.traceId !== undefined && { traceId: first.traceId }),
    ...(joined.length > 0 && { joined }),
  };
}
