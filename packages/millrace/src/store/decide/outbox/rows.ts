// What becomes of a row of an outbox. Pure.

import type { Failure } from "../../../job/failure.ts";
import type { OutboxRow } from "../../verbs/outbox/outboxes.ts";
import type { RefusalCode, Submission, SubmitAnswer } from "../../verbs/submission.ts";

/** Refusals that end by themselves. The row waits in its outbox. */
const PASSING: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  ...(["rate-limited", "tenant-busy", "backpressure", "key-busy", "disk-full"] as const),
  // A process with the kind may be about to start.
  "kind-unknown",
]);

export type RowDecision =
  | { readonly type: "stored" }
  | { readonly type: "later"; readonly message: string }
  | { readonly type: "dead"; readonly failure: Failure };

export function decideRow({ failure }: Pick<OutboxRow, "failure">, answer: SubmitAnswer | undefined): RowDecision {
  if (failure) return { type: "dead", failure };
  if (answer?.type !== "refused") return { type: "stored" };
  const { code, message } = answer;
  if (PASSING.has(code)) return { type: "later", message };
  return { type: "dead", failure: { code, message, permanent: true } };
}

/** The job of a row as a dead letter: it has no keys, because another job may have them, and passes all limits. */
export function deadSubmission({ tenant, jobs }: Submission): Submission {
  return {
    tenant,
    jobs: jobs.map(
      ({
        uniqueKey: _key,
        ifUnique: _choice,
        latestMs: _latest,
        throttle: _first,
        delayMs: _delay,
        runAt: _at,
        completed: _known,
        ...job
      }) => job,
    ),
    isExempt: true,
  };
}
