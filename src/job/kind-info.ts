import type { Standing } from "./job.ts";
import type { Pace } from "./plan.ts";

/** A kind as operators see it: how many of its jobs stand where, who serves it, and under which settings. */
export interface KindInfo {
  kind: string;
  paused: boolean;
  /** False: no process that is alive has a pool for it. */
  served: boolean;
  /** JSON Schema, where the kind's schema can tell. */
  payloadSchema?: unknown;
  /** Payloads to start from. */
  examples?: unknown[];
  stages: StageInfo[];
}

/** The settings are those of the process that was asked, and missing where it does not have the kind. */
export interface StageInfo {
  stage: string;
  counts: Record<Standing, number>;
  processors?: number;
  timeoutMs?: number;
  maxAttempts?: number;
  isolation?: "inline" | "process";
  pace?: Pace;
  queueMax?: number;
}
