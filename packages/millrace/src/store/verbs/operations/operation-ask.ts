// A request for an act on many jobs, as the HTTP API hands it to the engine.

import type { OperationAction } from "../../../job/report/operation-view.ts";
import type { JobFilter } from "../job-filter.ts";

/** A request for an act on many jobs. */
export interface OperationAsk {
  /** What is done to each job. */
  readonly action: Exclude<OperationAction, "undo">;
  /** The jobs, by a filter. */
  readonly filter?: JobFilter;
  /** The filter as it was sent, to show it. */
  readonly shownFilter?: Readonly<Record<string, unknown>>;
  /** The jobs, by their ids. */
  readonly ids?: readonly string[];
  /** The person or key that asks. */
  readonly by: string;
  /** The tenant of the jobs. Missing: of all tenants. */
  readonly tenant?: string;
  /** The reason, for cancelled jobs and the list of operations. */
  readonly reason?: string;
  /** The most jobs per second. */
  readonly perSecond?: number;
  /** Where revived jobs start. */
  readonly from?: "failed-stage" | "start";
  /** The new priority. */
  readonly priority?: number;
  /** The answer that released jobs get, as JSON. */
  readonly answer?: string;
  /** The idempotency key, unique over all tenants. */
  readonly key?: string;
}
