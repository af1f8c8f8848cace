import type { StoreLimits } from "./store.ts";

/** What holds where the engine says nothing. */
export const NO_LIMITS: StoreLimits = {
  queueMax: 0,
  maxNewJobsPerMinute: 0,
  maxConcurrentPerTenant: 0,
  tenantOverflow: "reject",
  jobKeepMax: 0,
  dlqKeepMax: 0,
  idempotencyMs: 24 * 3_600_000,
  sharedMaxBytes: 0,
  sharedKeepMs: 0,
  maxStreamBytesPerJob: 0,
  maxStreamBytesPerTenant: 0,
  maxChildDepth: 0,
  maxChildren: 0,
  maxTreeJobs: 0,
  maxEventsPerTenant: 0,
  maxOpenBatchesPerTenant: 0,
  queryMs: 0,
  lockTimeoutMs: 5_000,
};
