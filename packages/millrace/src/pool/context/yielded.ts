import { JobFailure } from "../../job/failure.ts";
import type { Outcome } from "../../job/lifecycle.ts";

/** Thrown by `ctx.defer`, `ctx.hold`, `ctx.continueAsNew` and `ctx.limit` without room: an outcome, not a failure. */
export class AttemptYield extends Error {
  readonly outcome: Extract<Outcome, { type: "deferred" | "held" | "continued" }>;
  readonly by: "defer" | "hold" | "limit" | "continueAsNew";

  constructor(by: AttemptYield["by"], outcome: AttemptYield["outcome"]) {
    super(`ctx.${by}() leaves the processor by throwing this. Rethrow it if you catch it.`);
    this.name = "Yielded";
    this.by = by;
    this.outcome = outcome;
  }
}

const DEEPEST_CAUSE = 10;

/** What was thrown to leave the processor, also where the processor wrapped it in an error of its own. */
export function yieldedIn(thrown: unknown): AttemptYield | undefined {
  let each = thrown;
  for (let depth = 0; depth < DEEPEST_CAUSE && each instanceof Error; depth++) {
    if (each instanceof AttemptYield) return each;
    each = each.cause;
  }
  return undefined;
}

/** The processor went on as if nothing had been thrown, so neither its result nor the deferral can be trusted. */
export function caughtFailure({ by }: AttemptYield): JobFailure {
  return new JobFailure(
    `The processor called ctx.${by}() and caught what it throws, so the job was not ${DONE[by]}. ` +
      "Rethrow errors that you do not recognise.",
    { code: by === "continueAsNew" ? "continue-as-new-caught" : `${by}-caught` },
  );
}

const DONE = { defer: "deferred", limit: "deferred", hold: "held", continueAsNew: "continued" } as const;
