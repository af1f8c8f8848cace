// What becomes of a follower that was stored in a transaction of a caller, once that has committed.

import type { Transition } from "../../../job/lifecycle.ts";
import { type JobRow, standpoint } from "../../rows/job-row.ts";

/** The jobs under a unique key. */
export interface KeyPlace {
  readonly leader: number | undefined;
  readonly follower: number | undefined;
  /** The job of the key that was never claimed. */
  readonly unclaimed: number | undefined;
}

export interface FollowerPlace {
  /** The job that is cancelled because this one takes its place. */
  readonly replaces: number | undefined;
  /** Whether the key is free, so that the follower starts. */
  readonly starts: boolean;
}

export function placeFollower(under: KeyPlace | undefined): FollowerPlace {
  if (under?.leader === undefined) return { replaces: under?.follower, starts: true };
  return { replaces: under.unclaimed, starts: false };
}

/** How a job ends that was replaced. */
export function replacedBy(row: JobRow, jobId: string): Transition {
  const failure = {
    code: "cancelled",
    message: `Replaced by ${jobId}, a later submission of the same key.`,
    permanent: true,
  };
  return { ...standpoint(row), outcome: "cancelled", standing: "cancelled", failure };
}
