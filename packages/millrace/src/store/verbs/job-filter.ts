import type { Standing } from "../../job/job.ts";

/** Which jobs to list, count or act on. All conditions must hold. Lists are newest first. */
export interface JobFilter {
  /**
   * A state, the name of a stage, or one of `scheduled`, `retrying`, `held`, `not-started` and `done`. Default: any.
   */
  status?: string;
  /** Any of these standings. Default: any. */
  standings?: Standing[];
  /** The name of the kind. Default: any. */
  kind?: string;
  /** The name of the current stage. Default: any. */
  stage?: string;
  /** The tenant. Default: all tenants. */
  tenant?: string;
  /** A tag that the job has. Default: any. */
  tag?: string;
  /** Submitted at or after this time, in milliseconds since 1970. Default: no limit. */
  sinceAt?: number;
  /** Submitted before this time, in milliseconds since 1970. Default: no limit. */
  untilAt?: number;
  /** True: only jobs that wait for a retry. Default: false. */
  retrying?: boolean;
  /** True: only failed or cancelled jobs that were not revived yet. Default: false. */
  revivable?: boolean;
  /** True: only jobs that a processor holds now. Default: false. */
  inProgress?: boolean;
  /** A string in the payload, the result or the failure, or a job id. Default: any. */
  search?: string;
  /** Only these jobs. Default: any. */
  ids?: string[];
  /** The code of the failure. Default: any. */
  failureCode?: string;
  /** The whole message of the failure. Default: any. */
  failureMessage?: string;
  /** Only jobs submitted before this one: the last id of the previous page. Default: start with the newest. */
  beforeId?: string;
  /** Skip this many jobs. Default: 0. */
  offset?: number;
  /** The number of jobs, 1 to 10,000. Default: 50. */
  limit?: number;
}
