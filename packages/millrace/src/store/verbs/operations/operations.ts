// Acts on many jobs, which survive a restart. The jobs are fixed before an operation starts; each act commits together with the
// progress.

import type { Standing } from "../../../job/job.ts";
import type { OperationAction } from "../../../job/report/operation-view.ts";
import type { ControlAnswer } from "../jobs.ts";

/** "collecting": its jobs are still being stored, and nothing is done to them yet. */
export type OperationState = "collecting" | "running" | "paused" | "stopped" | "completed" | "failed";

export interface OperationVerbs {
  /**
   * Stores an operation that collects its jobs. If an equal one has not ended, the answer is that one. With the key of an
   * earlier one, the answer is the earlier one, or "key-conflict" if its request was another.
   */
  createOperation(operation: NewOperation): Promise<CreatedOperation>;
  /** Stores an operation that takes back what another did, and starts it. */
  undoOperation(operationId: string, by: string): Promise<CreatedOperation | { conflict: string } | "not-found">;
  /** Adds jobs while the operation collects them. */
  addToOperation(operationId: string, jobIds: string[]): Promise<ControlAnswer>;
  /** The operation has all its jobs: it starts. */
  startOperation(operationId: string): Promise<StoredOperation | undefined>;
  /** The next jobs of a running operation. Undefined: it does not run. */
  nextOfOperation(operationId: string, limit: number): Promise<OperationTask | undefined>;
  /** Acts on the first of these jobs, as many as fit in the time, and moves the cursor in the same commit. */
  advanceOperation(operationId: string, advance: OperationAdvance): Promise<AdvanceAnswer>;
  /** Ends an operation that cannot go on. */
  failOperation(operationId: string, error: { code: string; message: string }): Promise<ControlAnswer>;
  controlOperation(operationId: string, what: "pause" | "resume" | "stop"): Promise<ControlAnswer>;
  findOperation(operationId: string): Promise<StoredOperation | undefined>;
  /** Operations, newest first. */
  operations(filter: OperationFilter): Promise<StoredOperation[]>;
}

export interface OperationFilter {
  /** Operations of this tenant. Default: of all tenants. */
  tenant?: string;
  /** True: only operations that have not ended. Default: all. */
  live?: boolean;
  /** Only operations that were started before this one. */
  beforeId?: string;
  limit: number;
}

export interface NewOperation {
  action: Exclude<OperationAction, "undo">;
  /** The request, as JSON. The store reads only `OperationRequest` of it. */
  request: string;
  /** A hash that is the same for equal requests. */
  hash: string;
  by: string;
  /** Missing: the operation covers jobs of all tenants. */
  tenant?: string;
  /** The standings in which its jobs must still be found. */
  among: Standing[];
  /** The idempotency key. */
  key?: string;
  perSecond?: number;
}

/** What the store reads of a request. */
export interface OperationRequest {
  reason?: string;
  from?: "failed-stage" | "start";
  priority?: number;
  /** The answer of a release, as JSON. */
  answer?: string;
}

export type CreatedOperation =
  | { created: StoredOperation }
  | { running: StoredOperation }
  | { replayed: StoredOperation }
  | "key-conflict";

export interface StoredOperation {
  id: string;
  action: OperationAction;
  /** The request, as JSON. */
  request: string;
  by: string;
  tenant?: string;
  state: OperationState;
  /** The jobs that it covers. */
  total: number;
  done: number;
  /** Jobs that were no longer in the right state. */
  skipped: number;
  /** Jobs on which the act was refused. */
  failed: number;
  /** The recent rate, in jobs per second. */
  rate: number;
  errors: OperationError[];
  /** Why it makes no progress now. */
  waitsFor?: string;
  /** The operation that this one takes back. */
  undoOf?: string;
  startedAt: number;
  updatedAt: number;
  endedAt?: number;
}

/** Refusals of one kind. */
export interface OperationError {
  code: string;
  message: string;
  count: number;
  /** The first job that was refused so. */
  sample?: string;
}

export interface OperationCursor {
  part: number;
  place: number;
}

export interface OperationTask {
  operation: StoredOperation;
  cursor: OperationCursor;
  jobIds: string[];
}

export interface OperationAdvance {
  cursor: OperationCursor;
  jobs: { jobId: string; uniqueKey?: string }[];
  /** No further job is begun after this time, in milliseconds. */
  budgetMs: number;
}

/** A job that an operation has changed. */
export interface OperationChange {
  jobId: string;
  /** The new job. */
  as?: string;
  /** The token of the attempt that the cancelled job had. */
  token?: number;
  undoing?: true;
}

/** "moved": another process has moved the cursor, or the operation does not run any more. */
export type AdvanceAnswer =
  | "moved"
  | {
      operation: StoredOperation;
      changed: OperationChange[];
      /** Nothing can be done before this time has passed. */
      waitMs?: number;
    };
