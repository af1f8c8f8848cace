import type { Answer } from "../api/shapes.ts";
import type { Budget } from "../models/budget.ts";

/** The answer to a run that needs budget. */
export type BudgetAnswer = { budget: Budget } | { finish: true };

/** Did not come, and may come if it is asked again. */
export function isMissing({ status }: Pick<Answer, "status">): boolean {
  return status === "failed" || status === "skipped-budget" || status === "interrupted" || status === "empty";
}
