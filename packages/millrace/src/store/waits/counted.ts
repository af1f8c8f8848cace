// Pending jobs as they are counted by the reason they wait for. Each job counts once, by the first reason that fits.

import { FOLLOWS, SUSPECT } from "../codes.ts";
import { NEVER, WAITING } from "./codes.ts";

/** The job waits for a sleep, a signal, an event, an approval, other jobs or its concurrency key. */
const HAS_WAIT = `(flags & ${WAITING | FOLLOWS} <> 0 OR run_at = ${NEVER})`;

export const IS_WAITING = `standing = 0 AND ${HAS_WAIT}`;
/** The job has failed attempts behind it. */
export const HAS_FAILED = `standing < ${SUSPECT + 1} AND failures + crashes > 0`;
/** It has failed attempts behind it and waits for its next one. */
export const IS_RETRYING = `${HAS_FAILED} AND NOT (standing = 0 AND ${HAS_WAIT})`;

/** How the pending jobs of one stage stand, as a store counts them. */
export interface PendingTally {
  kind: string;
  stage: string;
  held: number;
  /** All that stand scheduled, those that wait and are retried among them. */
  scheduled: number;
  /** All that are ready or suspects, those that are retried among them. */
  due: number;
  waiting: number;
  retryingLater: number;
  retryingNow: number;
  /** Due for the first time, of tenants that run as many jobs as they may. */
  tenantAtLimit: number;
  /** The kind or the stage may start no further job now. */
  isLimited: boolean;
}
