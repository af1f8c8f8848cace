import type { Job, Standing } from "../../job/job.ts";
import type { Pace } from "../../job/kind/pace.ts";

/** A job, and everything that decides whether it may run. Counts stop at 10,000. */
export interface Circumstances {
  at: number;
  job: Job;
  isPaused: boolean;
  /** The engine level that the job's plan needs. */
  needs: number;
  /** The label of the only deployment whose workers may claim the job. */
  pinnedTo?: string;
  /** A process that has claimed the job together with others and has not written its row yet. */
  claimedBy?: string;
  /** The process that holds the job has not renewed its lease in time. */
  isHolderLate: boolean;
  /** The living workers of the job's kind. */
  workers: KindWorker[];
  /** Running jobs of the job's tenant, in all kinds. */
  tenantRunning: number;
  /** The tenant's own limit on its running jobs; 0 means no limit. */
  ownConcurrency?: number;
  /** Jobs that are claimed before it: of its tenant, or of all tenants if it is a suspect. */
  ahead: number;
  /** The stage after the job's own, with the jobs that are ready there. */
  nextStage?: { stage: string; ready: number };
  /** The concurrency key of the job, while it waits for the key or holds it. */
  key?: KeyCircumstances;
  /** The limits on running jobs of its kind. */
  limits: RunningLimit[];
  /** The pace of the job's stage, and when it lets the next job start. */
  pace?: Pace & { freeAt: number };
}

/** A living process that works on a kind. The figures are those of one of its stages. */
export interface KindWorker {
  process: string;
  deployment: string;
  /** The names of the stages whose jobs it claims. */
  serves: string[];
  level: number;
  isDraining: boolean;
  running: number;
  /** Missing if the process runs an older version. */
  processors?: number;
  limits: { queueMax: number; maxConcurrentPerTenant: number };
}

export interface KeyCircumstances {
  name: string;
  /** The jobs that hold it, at most 10. */
  holders: { jobId: string; standing: Standing }[];
  /** Jobs that wait for it. */
  waiting: number;
  /** Jobs that get it before this one, if this one waits. */
  ahead: number;
}

/** A limit on running jobs: that of the kind, or one that it shares. */
export interface RunningLimit {
  /** Missing: the total of the kind itself. */
  name?: string;
  total: number;
  running: number;
}
