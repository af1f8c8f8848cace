// THE CONTRACT every store keeps; contract-suite.ts holds each store to it. Its verbs stand in verbs/, one file for each group, and
// verbs/table.ts says how each of them runs. Times are milliseconds since 1970. JSON is a string.

import type { Standing } from "../job/job.ts";
import type { LossReason } from "../job/lease.ts";
import type { Clock } from "../lib/clock.ts";
import type { AccessVerbs } from "./verbs/access.ts";
import type { AttemptVerbs } from "./verbs/attempts.ts";
import type { BatchVerbs } from "./verbs/batches.ts";
import type { ChildVerbs } from "./verbs/children.ts";
import type { JobVerbs } from "./verbs/jobs.ts";
import type { LimiterVerbs, TenantLimitVerbs } from "./verbs/limiters.ts";
import type { SharedLimitVerbs } from "./verbs/limits/shared-limits.ts";
import type { OperationVerbs } from "./verbs/operations/operations.ts";
import type { OutboxVerbs } from "./verbs/outbox/outboxes.ts";
import type { ProcessVerbs } from "./verbs/processes.ts";
import type { RecordVerbs } from "./verbs/records.ts";
import type { ScheduleVerbs } from "./verbs/schedules.ts";
import type { SharingVerbs } from "./verbs/sharing.ts";
import type { StreamVerbs } from "./verbs/streams.ts";
import type { WaitVerbs } from "./verbs/waits.ts";
import type { WithinVerbs } from "./verbs/within.ts";

export type Store = StoreLifecycle & StoreVerbs;

/** Everything that a store can be asked. */
export type StoreVerbs = JobVerbs &
  WithinVerbs &
  AttemptVerbs &
  WaitVerbs &
  StreamVerbs &
  ChildVerbs &
  BatchVerbs &
  OperationVerbs &
  LimiterVerbs &
  SharedLimitVerbs &
  TenantLimitVerbs &
  ScheduleVerbs &
  OutboxVerbs &
  SharingVerbs &
  RecordVerbs &
  AccessVerbs &
  ProcessVerbs;

export interface StoreLifecycle {
  /** Opens the store, brings its schema up to date and registers this process. */
  open(events: StoreEvents): Promise<void>;
  /** Gives up the registration and closes. Safe to call twice. */
  close(): Promise<void>;
  /** The clock of the machine where the data is. Missing: this machine's clock. */
  readonly clock?: Clock;
  /** How often to look for work that no signal announced, in milliseconds. Default: the engine's `pollMs`. */
  readonly pollMs?: number;
  /** How many jobs a large pool should claim at once. Default: the engine's own number. */
  readonly claimAtOnce?: number;
  /** True: applications can begin transactions on the database of the store, so steps can be stored in them. */
  readonly takesTransactions?: true;
}

/**
 * A store that `Millrace.open()` has yet to open. `sqlite()` and `postgres()` return one. The engine calls it; the contract of
 * a store is not public.
 */
export interface StoreFactory {
  /** @internal */
  // biome-ignore lint/style/useShorthandFunctionType: an interface keeps its name in the declarations of other packages
  (options: { leaseMs: number; durability: "full" | "normal"; limits: Partial<StoreLimits> }): Store;
}

/** What a store reports to its process by itself. These are hints: the truth is in the store. */
export interface StoreEvents {
  /** Another process changed something: there may be work. */
  wake(): void;
  /** Leases that this process has lost. */
  lost(leases: { jobId: string; token: number; reason: LossReason }[]): void;
  /** Another process has written to streams of these jobs. Undefined: to streams of any jobs. */
  streamed?(jobIds: string[] | undefined): void;
  /** The store can no longer be trusted after an I/O error. Stop accepting jobs and exit; the next start recovers. */
  fatal(error: Error): void;
  /** The store's own upkeep failed, for example on a busy or full disk. It will be tried again. */
  trouble(message: string): void;
  /** All conditions that hold now, reported whenever one begins or ends. */
  conditions?(conditions: StoreCondition[]): void;
  /** Leases of dead processes were taken back, or jobs that did not start in time have failed. */
  expired(jobs: { jobId: string; standing: Standing }[]): void;
}

/** Something about the store that an operator should know of. */
export interface StoreCondition {
  code: "store-replaced" | "disk-full" | "wal-large" | "files-readable";
  /** `error`: nothing can be stored. `degraded`: some work is refused or at risk. `note`: for the log only. */
  level: "error" | "degraded" | "note";
  /** What is wrong and what to do. */
  message: string;
}

/** Limits that the store enforces in the transaction that uses them. 0 means no limit. */
export interface StoreLimits {
  queueMax: number;
  maxNewJobsPerMinute: number;
  maxConcurrentPerTenant: number;
  tenantOverflow: "reject" | "queue";
  jobKeepMax: number;
  dlqKeepMax: number;
  idempotencyMs: number;
  /** Room for shared artifacts. Beyond it, artifacts that no kept job refers to go, those not read for the longest time first. */
  sharedMaxBytes: number;
  /** How long a shared artifact that no kept job refers to is kept after it was last read. */
  sharedKeepMs: number;
  /** What the streams of one job hold at most. */
  maxStreamBytesPerJob: number;
  /** What the streams of all jobs of a tenant hold at most. It is counted every ten seconds. */
  maxStreamBytesPerTenant: number;
  /** The most ancestors of a child, children of a job, and jobs of one tree. */
  maxChildDepth: number;
  maxChildren: number;
  maxTreeJobs: number;
  /** The most events that are kept for a tenant. It is counted every ten seconds. */
  maxEventsPerTenant: number;
  /** The most batches of a tenant that have not ended. */
  maxOpenBatchesPerTenant: number;
  /** How long a list or a search may take, including its wait for a turn. Longer ones fail with `query-timeout`. */
  queryMs: number;
  /** How long a submission waits for another one with the same unique or idempotency key, which has yet to commit. */
  lockTimeoutMs: number;
}
