import type { Lease } from "../../../job/lease.ts";
import type { Outcome } from "../../../job/lifecycle.ts";
import type { FollowUps } from "../../verbs/follow-ups.ts";
import type { Core } from "../core.ts";

/** The end of an attempt, as its processor or its pool reports it. */
export interface Ending {
  /** The key of the job; -1 for an invalid id. */
  readonly key: number;
  readonly lease: Lease;
  readonly outcome: Outcome;
  readonly followUps: FollowUps | undefined;
}

export function endingOf(core: Core, lease: Lease, outcome: Outcome, followUps?: FollowUps): Ending {
  return { key: core.ids.decode(lease.jobId) ?? -1, lease, outcome, followUps };
}
