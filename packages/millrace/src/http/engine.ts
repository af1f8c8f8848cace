import type { z } from "zod";
import type { UnservedStage } from "../api/health.ts";
import type { SharedLimit } from "../api/limits/shared.ts";
import type { Deployment } from "../api/pools.ts";
import type { Change } from "../events/change.ts";
import type { Artifact } from "../job/artifact.ts";
import type { Kind, Memory } from "../job/kind/kind.ts";
import type { KindInfo } from "../job/kind/kind-info.ts";
import type { OpenedLink } from "../job/opened-link.ts";
import type { LimiterRule } from "../job/options/limiter.ts";
import type { TenantLimits } from "../job/options/tenant-limits.ts";
import type { Acceptances } from "../job/receipt.ts";
import type { BatchView } from "../job/report/batch-view.ts";
import type { CausePage, CausePageOptions } from "../job/report/cause-page.ts";
import type { Explanation } from "../job/report/explanation.ts";
import type { ExportedJob } from "../job/report/exported-job.ts";
import type { LimiterView } from "../job/report/limiter-view.ts";
import type {
  ApprovalDecision,
  ApprovalView,
  LongWaitView,
  PublishOptions,
  PublishReceipt,
  SignalJob,
  SignalOptions,
  SignalReceipt,
  SignalView,
  WaitView,
} from "../job/report/messages.ts";
import type { OperationView } from "../job/report/operation-view.ts";
import type { StreamView } from "../job/report/stream-event.ts";
import type { JobTree } from "../job/report/tree.ts";
import type { AttemptView, JobView } from "../job/report/view.ts";
import type { AccessVerbs } from "../store/verbs/access.ts";
import type { LogLine, Step } from "../store/verbs/attempts.ts";
import type { JobFilter } from "../store/verbs/job-filter.ts";
import type { ArtifactInfo, DeadLetterGroup } from "../store/verbs/jobs.ts";
import type { OperationAsk } from "../store/verbs/operations/operation-ask.ts";
import type { OutboxState } from "../store/verbs/outbox/outboxes.ts";
import type { KindCounts, TenantCounts } from "../store/verbs/processes.ts";
import type { FlowRequest } from "../submit/flow-request.ts";
import type { JobRequest, SubmitRequests } from "../submit/intake.ts";
import type { ScheduleRule } from "../submit/schedule.ts";
import type { ScheduleView } from "../submit/schedules.ts";
import type { FigurePoint } from "../telemetry/figures/history.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { LiveReaders } from "./readers.ts";

/** What routes ask of the engine. A `Millrace` is one. */
export interface Engine {
  /** Submits jobs by the names of their kinds, as they arrive over HTTP: all of them in one transaction, or none. */
  submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean } & Acceptances>;
  /** The job as it is now. Undefined if there is none with this id. */
  find(jobId: string): Promise<JobView | undefined>;
  /**
   * Why a job does not run, in words: paused, no worker, delayed, held, limited, queued and so on. Throws
   * `job-not-found`.
   */
  explain(jobId: string): Promise<Explanation>;
  /**
   * Waits for the end of a job and returns it in any final state. Gives up after 10 minutes unless `timeoutMs` says
   * otherwise; the job itself keeps running.
   */
  wait(jobId: string, options: { timeoutMs?: number; signal?: AbortSignal }): Promise<JobView>;
  /** One page of jobs, newest first. Default: 50 jobs. */
  list(filter: JobFilter): Promise<JobView[]>;
  /** The number of jobs that match a filter. */
  count(filter: JobFilter): Promise<number>;
  /** All attempts at all stages of a job, oldest first. */
  attempts(jobId: string): Promise<AttemptView[]>;
  /** The lines that a job's processors wrote with `ctx.log`, oldest first. */
  logs(jobId: string, options: { afterId?: number; limit?: number }): Promise<(LogLine & { id: number })[]>;
  /** What the steps of a job have stored. */
  steps(jobId: string): Promise<Step[]>;
  /** Every kind in the store, with the number of its jobs by stage. */
  kinds(): Promise<KindCounts[]>;
  /** A kind that was passed to `open()`, by its name. Throws `kind-unknown`. */
  kindNamed(name: string): Kind;
  /** Whether the engine works, with reasons. Cheap enough for a health check every few seconds. */
  health(): Promise<{
    status: "ok" | "degraded" | "error";
    problems: string[];
    unserved: string[];
    unservedStages: z.output<typeof UnservedStage>[];
  }>;
  /** Every deployment of the application, newest first, and whether it is drained. */
  deployments(): Promise<z.output<typeof Deployment>[]>;
  /** Hands the pinned jobs of a deployment without processes to the newest deployment. */
  unpin(label: string): Promise<void>;
  /**
   * Whether to send work to this process now: it is healthy, it is not shutting down, and its processors have started.
   */
  readiness(): Promise<{ ready: boolean; reasons: string[] }>;
  /** Cancels a pending or running job. Throws `job-not-found`, or `conflict` if it has ended. */
  cancel(jobId: string, reason?: string): Promise<void>;
  /** Puts a held job back in the queue. Its processor finds the answer in `ctx.answers()`. */
  release(jobId: string, options?: { answer?: unknown }): Promise<void>;
  /** Changes a pending job: its time, priority and tags, and its payload if it has never started. */
  update(
    jobId: string,
    change: { payload?: unknown; runAt?: Date; priority?: number; tags?: string[] },
  ): Promise<JobView>;
  /** Sends a value to a job. It is kept until a wait of the job takes it. */
  signal(kind: string, job: SignalJob, name: string, value?: unknown, options?: SignalOptions): Promise<SignalReceipt>;
  /** Wakes every job of the tenant that waits for the topic and matches the fields. */
  publish(topic: string, fields?: Record<string, unknown>, options?: PublishOptions): Promise<PublishReceipt>;
  /** Decides an approval. Only the first decision counts. */
  decide(approvalId: string, decision: ApprovalDecision): Promise<{ jobId: string; name: string; tenant: string }>;
  /** Approvals that jobs wait for, oldest first. */
  approvals(filter?: { tenant?: string; jobId?: string; after?: string; limit?: number }): Promise<ApprovalView[]>;
  /** Waits that last longer than waits of their kind and name usually do. */
  longWaits(filter?: { tenant?: string }): Promise<LongWaitView[]>;
  /** An approval that a job waits for. Undefined if there is none, or if it is decided. */
  approval(approvalId: string): Promise<ApprovalView | undefined>;
  /** A job with everything that its stages have stored, for a replay. */
  exportJob(jobId: string): Promise<ExportedJob>;
  /** The streams of a job, by name. */
  streams(jobId: string): Promise<StreamView[]>;
  /** @internal */
  readonly readers: LiveReaders;
  /** Opens a batch by the name of the kind of its last job. Gives its id. */
  createBatch(batch: { tenant: string; onEnd?: JobRequest }): Promise<string>;
  /** Adds members by the names of their kinds, and gives their ids. */
  addToBatch(batchId: string, submission: SubmitRequests): Promise<string[]>;
  /** The batch as it is now. Undefined if there is none with this id. */
  findBatch(batchId: string): Promise<BatchView | undefined>;
  /** Batches, newest first. */
  batches(filter?: { tenant?: string; beforeId?: string; limit?: number }): Promise<BatchView[]>;
  /** A handle for a batch. */
  openBatch(
    batchId: string,
  ): Promise<{ seal(): Promise<void>; cancel(): Promise<void>; retryFailed(): Promise<number> }>;
  /** Submits jobs that wait for each other, by the names of their kinds. */
  submitFlow(flow: FlowRequest): Promise<{ jobIds: string[]; replayed: boolean }>;
  /** The signals that a job was sent, oldest first. */
  signals(jobId: string): Promise<SignalView[]>;
  /** What a job waited for and waits for. */
  waits(jobId: string): Promise<WaitView[]>;
  /** The tree or flow that a job belongs to. */
  tree(jobId: string): Promise<JobTree>;
  /** The names, types and sizes of the artifacts of a job. */
  artifacts(jobId: string): Promise<ArtifactInfo[]>;
  /** One artifact with its bytes. Undefined if the job has none of this name. */
  artifact(jobId: string, name: string): Promise<Artifact | undefined>;
  /**
   * Cancels a job that its submitter no longer needs, unless another submission has joined it. Returns false if it was
   * joined or has ended.
   */
  abandon(jobId: string, reason: string): Promise<boolean>;
  /** Submits the work of a failed or cancelled job again, as a new job. It starts at the stage that failed. */
  revive(
    jobId: string,
    options: { payload?: unknown; from?: "failed-stage" | "start"; delayMs?: number },
  ): Promise<{ id: string }>;
  /** Like `revive()`, but returns the new job as it was accepted. */
  reviveRequest(jobId: string, options: { payload?: unknown; from?: "failed-stage" | "start" }): Promise<JobView>;
  /** Cancels the jobs that are pending or running, and returns their ids. */
  cancelMany(jobIds: string[], reason?: string): Promise<string[]>;
  /** Deletes the jobs that are finished, and returns their ids. */
  forgetMany(jobIds: string[]): Promise<string[]>;
  /** The figures of this process, and how many jobs of the whole store are where. */
  metrics(): Promise<unknown>;
  /** The same figures in the Prometheus text format. */
  prometheus(): Promise<string>;
  /** Deletes a finished job with its attempts, log, steps and artifacts. */
  forget(jobId: string): Promise<void>;
  /** Stops claiming jobs of a kind, in all processes. Running attempts finish. */
  pause(kind: string): Promise<void>;
  /** Claims jobs of a paused kind again. */
  resume(kind: string): Promise<void>;
  /**
   * Calls the listener when jobs or pools of this process change, and when something changed in another process. Call
   * the returned function to stop.
   */
  listen(listener: (change: Change) => void): () => void;
  /** Aborted when `stop()` is called for the first time. */
  readonly stopping: AbortSignal;
  /** The log that `open()` was given, or its default. */
  readonly log: Log;
  /** What operators read and do beyond single jobs: pools of all processes, dead letters, tenants. */
  readonly admin: {
    /** @internal */
    readonly access: AccessVerbs;
    /** @internal Acts on many jobs. */
    readonly operations: OperationCalls;
    pools(): Promise<InstancePool[]>;
    figures(): Promise<unknown>;
    /** @internal Figures of the last eight days. */
    pastFigures(range: { from: number; until: number; everyMs: number }): Promise<FigurePoint[]>;
    /** @internal Versions of the application that were first seen in this time. */
    newDeployments(from: number, until: number): Promise<{ label: string; at: number }[]>;
    instances(): Promise<{ instance: string; startedAt: string; seenAt: string; pools: string[] }[]>;
    kinds(): Promise<KindInfo[]>;
    deadLetters(
      filter: JobFilter,
      page: { limit: number; offset: number },
    ): Promise<{ jobs: JobView[]; total: number }>;
    deadLetterGroups(filter: JobFilter): Promise<DeadLetterGroup[]>;
    deadLetterCauses(filter: JobFilter, options: CausePageOptions): Promise<CausePage>;
    matching(filter: JobFilter, limit: number): Promise<string[]>;
    tenants(): Promise<TenantCounts[]>;
    outboxes(): Promise<OutboxState[]>;
    audit(who: string, what: string, about?: { target?: string; tenant?: string; traceId?: string }): Promise<void>;
  };
  /** Limits that operators set while the engine runs. */
  readonly limits: {
    tenant(tenant: string): Promise<TenantLimits | undefined>;
    setTenant(tenant: string, limits: TenantLimits): Promise<void>;
    removeTenant(tenant: string): Promise<boolean>;
    /** The limits on running jobs that kinds share. */
    readonly shared: {
      /** All limits by name, with the jobs that run under each. */
      list(): Promise<z.output<typeof SharedLimit>[]>;
      /** Overrides a shared limit. Throws `limit-unknown`. */
      set(name: string, total: number): Promise<z.output<typeof SharedLimit>>;
      /** Lets the defined number of a limit count again. Throws `limit-unknown`. */
      reset(name: string): Promise<z.output<typeof SharedLimit>>;
    };
    limiters(): Promise<LimiterView[]>;
    setLimiter(name: string, rule: LimiterRule): Promise<void>;
    resetLimiter(name: string): Promise<boolean>;
    unblockLimiter(name: string): Promise<boolean>;
  };
  /** Artifacts that outlive the jobs that made them. */
  readonly shared: {
    memoryOf(tenant: string): Memory;
    open(link: string): Promise<OpenedLink | undefined>;
  };
  /** Durable JSON values by key, in the store: the records of one space, which no other workload uses. */
  records(space: string): RecordSpace;
  /** Schedules that submit jobs at times. */
  readonly schedules: {
    put(kind: Kind, rule: ScheduleRule): Promise<void>;
    remove(name: string, options?: { tenant?: string }): Promise<boolean>;
    list(filter?: { tenant?: string; name?: string }): Promise<ScheduleView[]>;
    preview(rule: { cron: string; timeZone?: string }, count?: number): Date[];
  };
}

/** Acts on many jobs. */
export interface OperationCalls {
  preview(ask: OperationAsk): Promise<OperationView>;
  start(ask: OperationAsk): Promise<{ operation: OperationView; isNew: boolean }>;
  find(operationId: string): Promise<OperationView>;
  list(filter: { tenant?: string; live?: boolean; beforeId?: string; limit: number }): Promise<OperationView[]>;
  control(operationId: string, what: "pause" | "resume" | "stop"): Promise<OperationView>;
  undo(operationId: string, by: string): Promise<OperationView>;
}

/** The records of a space, as routes use them. */
export interface RecordSpace {
  /** The record with this key. Undefined if there is none. */
  get(key: string, options?: { tenant?: string }): Promise<{ value: unknown; version: number } | undefined>;
  /** Writes a record, or replaces it. */
  put(
    key: string,
    value: unknown,
    options?: { tenant?: string; ifVersion?: number; expiresInMs?: number },
  ): Promise<{ version: number }>;
  /** Deletes a record. False if there was none. */
  delete(key: string, options?: { tenant?: string }): Promise<boolean>;
  /** One page of records, sorted by key. */
  list(options?: {
    tenant?: string;
    prefix?: string;
    after?: string;
    limit?: number;
  }): Promise<{ records: { key: string; value: unknown; version: number; updatedAt: Date }[]; next?: string }>;
}

/** A pool of any process on the store. */
export interface InstancePool {
  /** The name of the pool: `kind/stage`. */
  pool: string;
  /** The kind. */
  kind: string;
  /** The stage. */
  stage: string;
  /** The number of processors. */
  size: number;
  /** The name of the process. */
  instance: string;
  /** When the process was last heard of, as an ISO 8601 string. */
  seenAt: string;
  /** Due jobs that wait for a processor. */
  queueSize: number;
  /** The state of each processor. */
  processors: {
    /** The number of the processor in its pool. */
    slot: number;
    /** What it does. */
    state: "idle" | "busy" | "error";
    /** The job it works on. */
    jobId?: string;
    /** The tenant of that job. */
    tenant?: string;
  }[];
}
