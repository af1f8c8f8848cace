// What `settle` takes besides an outcome. Jobs that carry nothing pay nothing for it.

import type { NewJob, RefusalCode } from "./submission.ts";

/**
 * What is written in the commit that ends the attempt. Either all of it is written, or nothing is and the attempt does
 * not end.
 */
export interface FollowUps {
  /** Steps of the stage that ends. The same value again is the same step. */
  steps?: FollowUpStep[];
  /** Jobs to submit, in the tenant of the job that settles. They pass its limits, though they count toward them. */
  jobs?: NewJob[];
}

/** `jobIds`: the value is the ids of all jobs of the same follow-ups, as a JSON array in their order. */
export type FollowUpStep = { name: string; value: string } | { name: string; jobIds: true };

/** Nothing was written, and the lease goes on. `jobId` is the job that has the unique key. */
export interface RefusedSettlement {
  written: "refused";
  code: RefusalCode | "step-name-reused";
  message: string;
  jobId?: string;
  retryAfterMs?: number;
}
