import type { NewJob } from "../verbs/submission.ts";

/** What is stored with an idempotency key: enough to answer as the first time when the jobs themselves are deleted. */
export interface FirstAnswer {
  /** The keys of the jobs. Missing until they are stored. */
  keys?: number[];
  traceId?: string;
}

export function firstAnswerOf([first]: readonly NewJob[], keys?: number[]): FirstAnswer {
  return { ...(keys && { keys }), ...(first?.traceId !== undefined && { traceId: first.traceId }) };
}
