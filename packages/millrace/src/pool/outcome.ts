// How an attempt ends. This is the one place where a result, an error, a death or a deadline becomes an outcome. The outcome
// type itself, and what each outcome does to the job, is in job/lifecycle.ts.
//
// To add a way for an attempt to end: add it to `Outcome` and to `afterAttempt` there. The compiler then asks for it in
// events/news.ts (what hooks hear) and run/wrapped-attempt.ts (what middleware sees).

import type { Failure } from "../job/failure.ts";
import { failureOf } from "../job/failure.ts";
import type { Stage } from "../job/kind/kind.ts";
import type { Outcome } from "../job/lifecycle.ts";
import { LeaseLost } from "./context/lease-lost.ts";
import { storableText } from "./context/storable.ts";
import { yieldedIn } from "./context/yielded.ts";

/** "lost": the lease ended under the attempt, so there is nothing to settle. */
export type AttemptEnd = Outcome | "lost";

const MAX_RESULT_BYTES = 1_048_576;

/** The processor returned. */
export function completedWith(result: unknown): Outcome {
  return { type: "completed", result: resultText(result) };
}

/** A result as JSON text. */
export function resultText(result: unknown): string {
  return storableText(result, "result", MAX_RESULT_BYTES);
}

/** The processor threw: an error, or what a call on `ctx` throws to leave it. */
export function endOf(thrown: unknown, attempt?: { readonly lost: LeaseLost | undefined }): AttemptEnd {
  const lost = attempt?.lost ?? (thrown instanceof LeaseLost ? thrown : undefined);
  if (lost) return endOfLost(lost);
  const yielded = yieldedIn(thrown);
  if (yielded) return yielded.outcome;
  return { type: "failed", ...failureOf(thrown) };
}

/** A job that was cancelled with steps to undo is settled by its holder: the undos follow from that. */
export function endOfLost({ reason }: LeaseLost): AttemptEnd {
  return reason === "undoing" ? { type: "cancelled" } : "lost";
}

/** The deadline passed. */
export function timedOut(stage: Pick<Stage, "retryTimeouts" | "timeoutMessage">, timeoutMs: number): FailedOutcome {
  const message = (stage.timeoutMessage ?? "Timed out after {ms} ms.").replace("{ms}", String(timeoutMs));
  return { type: "failed", failure: { code: "timed-out", message, permanent: stage.retryTimeouts === false } };
}

type FailedOutcome = Extract<Outcome, { type: "failed" }>;

/** The child process died. */
export function crashedBy(message: string): Outcome {
  return { type: "crashed", failure: { code: "crashed", message, permanent: false } };
}

/** The child process was ended because of its memory. */
export function crashedOverMemory(memoryMb: number | undefined): Outcome {
  const message = `The processor used more than ${memoryMb} MiB of memory and was ended.`;
  return { type: "crashed", failure: { code: "out-of-memory", message, permanent: false } };
}

/** The job goes back to the queue as if it had not been claimed. */
export const RELEASED: Outcome = { type: "released" };

/** The sentence of a failure; undefined for any other end. */
export function faultOf(end: Outcome): string | undefined {
  return "failure" in end ? (end.failure as Failure).message : undefined;
}
