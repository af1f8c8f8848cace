import type { Standing } from "../job.ts";
import type { Pace } from "./pace.ts";

/** A kind as operators see it: where its jobs are, whether it is served, and with which settings. */
export interface KindInfo {
  /** The name of the kind. */
  kind: string;
  /** True: no jobs of it are claimed until it is resumed. */
  paused: boolean;
  /** False: no living process has a pool for every stage of it. */
  served: boolean;
  /** The JSON Schema of the payload, if the kind's schema can give one. */
  payloadSchema?: unknown;
  /** Payloads to start from. */
  examples?: unknown[];
  /** The stages of the kind, in order. */
  stages: StageInfo[];
}

/**
 * A stage as operators see it. The settings are those of the process that was asked; they are missing if it does not
 * have the kind.
 */
export interface StageInfo {
  /** The name of the stage. */
  stage: string;
  /** How many jobs are where. */
  counts: Record<Standing, number>;
  /** The processors of its pool. */
  processors?: number;
  /** How long one attempt may take, in milliseconds. */
  timeoutMs?: number;
  /** The attempts it gets, including the first. */
  maxAttempts?: number;
  /** Whether its processor runs in this process or in a child process. */
  isolation?: "inline" | "process";
  /** The most starts in a period. */
  pace?: Pace;
  /** Due pending jobs before submissions are refused; 0 means no limit. */
  queueMax?: number;
}
