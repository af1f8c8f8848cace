// What a settlement writes besides the end of its attempt: steps of its stage and further jobs. All of it is one commit with the
// outcome. If a part is refused, nothing is written, and the lease goes on.

import { FINISHED } from "../../job/job.ts";
import type { Transition } from "../../job/lifecycle.ts";
import type { FollowUpStep, FollowUps, RefusedSettlement } from "../verbs/follow-ups.ts";
import type { NewJob, Submission } from "../verbs/submission.ts";
import { stepNameReused } from "./attempt/steps.ts";
import { keyBusy } from "./refusals.ts";
import { type Acceptance, decideSubmission, type SubmissionFacts } from "./submission.ts";

export interface FollowUpFacts<Live> {
  /** The value of a step of the stage that is stored under the name. */
  storedStep(name: string): string | undefined;
  readonly submission: SubmissionFacts<Live>;
}

export type FollowUpDecision<Live> =
  | { readonly type: "refused"; readonly answer: RefusedSettlement }
  /** `accepted` is missing without jobs. */
  | { readonly type: "written"; readonly steps: readonly FollowUpStep[]; readonly accepted?: Acceptance<Live> };

/** A follow-up has a unique key that another transaction is about to use. The attempt may settle again later. */
export function followUpsBusy(): RefusedSettlement {
  const { type: _, ...refusal } = keyBusy();
  return { written: "refused", ...refusal };
}

export function decideFollowUps<Live>(
  facts: FollowUpFacts<Live>,
  { steps = [], jobs = [] }: FollowUps,
): FollowUpDecision<Live> {
  const reused = steps.find((step, i) => isReused(step, steps.slice(0, i), facts));
  if (reused) return { type: "refused", answer: { written: "refused", ...stepNameReused(reused.name) } };
  if (jobs.length === 0) return { type: "written", steps };
  const decision = decideSubmission(facts.submission, submissionOf("", jobs));
  if (decision.type === "accepted") return { type: "written", steps, accepted: decision };
  if (decision.type === "known") throw new Error("follow-ups have no idempotency key");
  const { type: _, ...refusal } = decision.answer;
  return { type: "refused", answer: { written: "refused", ...refusal } };
}

/**
 * Follow-ups pass the limits on queues, rates and tenants, though they count toward them: a job that cannot end while a queue is
 * full would keep its processor from emptying it.
 */
export function submissionOf(tenant: string, jobs: readonly NewJob[]): Submission {
  return { tenant, jobs: [...jobs], isExempt: true };
}

/** A job that ends gives its unique key away with the same commit, so that a follow-up may have it. */
export function freesUniqueKey({ standing }: Transition): boolean {
  return FINISHED.has(standing);
}

/** The value to store, once the jobs of the same commit have their ids. */
export function stepValue(step: FollowUpStep, jobIds: readonly string[]): string {
  return "jobIds" in step ? JSON.stringify(jobIds) : step.value;
}

export function hasFollowUps(followUps: FollowUps | undefined): followUps is FollowUps {
  return followUps !== undefined && ((followUps.steps?.length ?? 0) > 0 || (followUps.jobs?.length ?? 0) > 0);
}

function isReused(
  step: FollowUpStep,
  before: readonly FollowUpStep[],
  facts: Pick<FollowUpFacts<unknown>, "storedStep">,
) {
  const known = [facts.storedStep(step.name), ...before.filter(({ name }) => name === step.name).map(givenValue)];
  return known.some((value) => value !== undefined && value !== givenValue(step));
}

/** Ids that the store gives are equal to no value. */
function givenValue(step: FollowUpStep): string | symbol {
  return "jobIds" in step ? Symbol("ids") : step.value;
}
