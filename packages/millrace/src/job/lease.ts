import type { Failure } from "./failure.ts";
import type { EndedBatch } from "./report/batch-view.ts";

/** The right to work on one attempt of one job. Every write by a processor presents it; a stale token changes nothing. */
export interface Lease {
  jobId: string;
  /** Grows with every claim of the job. */
  token: number;
  /** The processor it was handed to, within its pool. */
  slot: number;
}

/** A lease with all its processor needs. */
export interface ClaimedJob {
  lease: Lease;
  tenant: string;
  payload: string;
  /** The result of the stage before. */
  input?: string;
  attempt: number;
  priority: number;
  tags: string[];
  traceId?: string;
  traceParent?: string;
  timeoutMs?: number;
  createdAt: number;
  /** When it could have run: the wait is counted from here. */
  runAt: number;
  claimedAt: number;
  crashes: number;
  /** The failure of the attempt before, if any. */
  failure?: Failure;
  /** Whether steps of this stage are stored, to be looked up before one runs. */
  hasSteps: boolean;
  /** The parts of a workflow that the job has. Missing for most jobs. */
  workflow?: WorkflowFacts;
  /** Whether no stage follows in the job's plan, so that this attempt returns the job's result. */
  isLast: boolean;
}

export interface WorkflowFacts {
  /** How the batch ended at whose end the job was submitted. */
  batch?: EndedBatch;
  /** Whether waits of the job are stored, to be looked up before one starts. */
  hasWaits?: true;
  /** Whether it revives another job from its failed stage, so that its steps have the keys of that job's. */
  isContinued?: true;
  /** The job has written to streams: look them up before writing. */
  hasStreams?: true;
  /** A step of it can be undone. */
  hasUndos?: true;
  /** The undo handlers of the stage are to run, not its processor. */
  undoing?: "failed" | "cancelled";
}

export type WriteAnswer = "written" | "lease-lost";

/** Why an attempt lost its right to work on the job. */
export type LossReason = "cancelled" | "undoing" | "timed-out" | "deadline" | "lease-lost" | "shutting-down";
