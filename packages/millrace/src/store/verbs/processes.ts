// The processes that share a store: what they register, and what they do for each other.

import type { Standing } from "../../job/job.ts";
import type { KindPlan } from "../../job/kind/plan.ts";
import type { TenantLimits } from "../../job/options/tenant-limits.ts";
import type { ControlAnswer } from "./jobs.ts";

export interface ProcessVerbs {
  /** Makes the kinds of this process known. A plan is added once and never changed; a job keeps the plan it got. */
  register(plans: KindPlan[], registration?: Registration): Promise<void>;
  setPaused(kind: string, paused: boolean): Promise<ControlAnswer>;
  /** Hands the pinned jobs of a deployment that no process runs any more to the newest one. */
  unpin(label: string): Promise<ControlAnswer>;
  kinds(): Promise<KindCounts[]>;
  /** The pending jobs of each stage by what they wait for: of one tenant, or of all. A stage can have several rows. */
  pending(tenant?: string): Promise<PendingTally[]>;
  deployments(): Promise<DeploymentFacts>;
  instances(): Promise<Instance[]>;
  /** Tenants, the busiest first, 1,000 at most. */
  tenants(): Promise<TenantCounts[]>;
  size(): Promise<{ databaseBytes: number; walBytes: number }>;
  /**
   * Gives a sign of life: renews the leases of this process, takes back those of dead ones, fails jobs that did not
   * start in time.
   */
  beat(pools?: string): Promise<BeatAnswer>;
  /** Notes that this process is about to stop. Its death then counts as a crash of no job. */
  drain(): Promise<void>;
  /** True while this process is the one that does upkeep. */
  lead(forMs: number): Promise<boolean>;
  /**
   * Deletes what has expired: finished jobs; then shared artifacts (with their links) that no kept job refers to and that are
   * unread for too long, or too many; then records. Each counts as one.
   */
  prune(options: { limit: number }): Promise<PruneAnswer>;
  /**
   * Computes the causes of dead letters that have none, or one of another version of the patterns. Returns their
   * number.
   */
  markCauses(options: { limit: number }): Promise<number>;
  /** Copies the live store consistently to a new file. */
  backup(path: string): Promise<void>;
}

export interface Registration {
  /** The version of the application. Missing: a hash of the plans. */
  deployment?: string;
  /** false: this process submits and looks only. It announces no deployment, and none of its policies hold. */
  work?: boolean;
  /** The limits that kinds share. Those of the highest deployment number hold, unless an operator has set others. */
  limits?: Readonly<Record<string, { total: number }>>;
}

/** The jobs of one tenant. */
export interface TenantCounts {
  /** The name of the tenant. */
  tenant: string;
  /** Jobs that run. */
  running: number;
  /** Jobs that wait. */
  pending: number;
  /** The tenant's own limits. */
  limits?: TenantLimits;
}

/** A kind with the number of its jobs. */
export interface KindCounts {
  /** The name of the kind. */
  kind: string;
  /** True: no jobs of it are claimed until it is resumed. */
  paused: boolean;
  /** Each stage with its position and the number of jobs by standing. */
  stages: {
    /** The name of the stage. */
    stage: string;
    /** Its place among the stages, counted from 0. */
    position: number;
    /** How many jobs are where. */
    counts: Record<Standing, number>;
  }[];
}

/** How the pending jobs of one stage stand, as a store counts them. */
export interface PendingTally {
  kind: string;
  stage: string;
  held: number;
  /** All scheduled jobs, including those that wait and those that are retried. */
  scheduled: number;
  /** All ready and suspect jobs, including those that are retried. */
  due: number;
  waiting: number;
  retryingLater: number;
  retryingNow: number;
  /** Jobs that are due for the first time, of tenants that run as many jobs as they may. */
  tenantAtLimit: number;
  /** The kind or the stage may start no further job now. */
  isLimited: boolean;
}

/** The deployments, the processes that work, and the jobs that wait for them. */
export interface DeploymentFacts {
  /** `number` is missing if only processes without workers ever named the deployment. */
  deployments: { id: number; label: string; number?: number; plans: { kind: string; stages: string[] }[] }[];
  /** One for each living process and kind. `serves`: the names of the stages whose jobs it claims. */
  workers: {
    process: string;
    deployment: number;
    kind: string;
    serves: string[];
    level: number;
    running: number;
    draining: boolean;
  }[];
  /**
   * Unfinished jobs by stage. `stage` is "" while the kind has no plan. `later` names the stages after it in the plan. `pin` is the id
   * of a deployment, or 0.
   */
  stages: {
    kind: string;
    stage: string;
    later: string[];
    pin: number;
    needs: number;
    pending: number;
    running: number;
  }[];
}

/** One process that uses the store. */
export interface Instance {
  id: number;
  name: string;
  startedAt: number;
  beatAt: number;
  expiresAt: number;
  /** True for the process that asks. */
  own: boolean;
  /** What it last reported about its pools, as JSON. */
  pools?: string;
}

export interface BeatAnswer {
  /** Jobs of dead processes that were taken back, and jobs that failed because they did not start in time. */
  expired: { jobId: string; standing: Standing }[];
  /** Jobs of this process that ran longer than their time limit and have failed. */
  overdue: string[];
}

export interface PruneAnswer {
  deleted: number;
  /** The batch was full, so there may be more. */
  more: boolean;
}
