import type { operationRoutes } from "../../api/many/operations.ts";
import { type CallOptions, repeatable } from "../jobs.ts";
import { ask, type Connection } from "../request.ts";
import { type BodyOf, operations, type QueryOf } from "../routes.ts";
import type { OperationInfo } from "../wire.ts";

/** Which jobs, and what to do to them. */
export type OperationRequest = BodyOf<typeof operationRoutes.start>;

/** Calls about acts on many jobs, which the server carries out by itself. */
export interface OperationCalls {
  /**
   * Starts an operation on all jobs that match now. If an equal one runs, the answer is that one. With `dryRun`, nothing
   * is changed and `total` says how many jobs it would cover.
   */
  start(
    request: OperationRequest,
    options?: CallOptions & {
      /** A repeated call with the same key is answered with the first operation. Default: a random key. */
      idempotencyKey?: string;
    },
  ): Promise<OperationInfo>;
  /** One page of operations, newest first. */
  list(
    query?: QueryOf<typeof operationRoutes.list>,
    options?: CallOptions,
  ): Promise<{ operations: OperationInfo[]; nextCursor?: string | undefined }>;
  /** One operation with its progress. */
  find(operationId: string, options?: CallOptions): Promise<OperationInfo>;
  /** Pauses an operation. */
  pause(operationId: string, options?: CallOptions): Promise<OperationInfo>;
  /** Resumes a paused operation. */
  resume(operationId: string, options?: CallOptions): Promise<OperationInfo>;
  /** Stops an operation for good. What it has done stays done. */
  stop(operationId: string, options?: CallOptions): Promise<OperationInfo>;
  /** Takes back a revival or retry. The answer is the operation that does so. */
  undo(operationId: string, options?: CallOptions): Promise<OperationInfo>;
}

export function operationCalls(connection: Connection): OperationCalls {
  const control = (what: "pause" | "resume" | "stop" | "undo") => (operationId: string, options?: CallOptions) =>
    ask(connection, operations[what], { params: { operationId }, ...options });
  return {
    start: (body, { idempotencyKey, ...options } = {}) =>
      ask(connection, operations.start, {
        body,
        ...options,
        ...repeatable(idempotencyKey),
      }),
    list: (query = {}, options) => ask(connection, operations.list, { query, ...options }),
    find: (operationId, options) => ask(connection, operations.find, { params: { operationId }, ...options }),
    pause: control("pause"),
    resume: control("resume"),
    stop: control("stop"),
    undo: control("undo"),
  };
}
