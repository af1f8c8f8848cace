// The public API, and the only file that re-exports.

import "./lib/runtime/require-runtime.ts";

export type { Admin, InstancePoolView, InstanceView } from "./engine/admin.ts";
export type { ReviveRequest, UpdateRequest } from "./engine/control.ts";
export type { DeploymentView, UnservedStage } from "./engine/deployments.ts";
export { BatchHandle } from "./engine/groups/batch-handle.ts";
export { FlowBuilder, type FlowJob, type FlowJobOptions, type FlowOptions } from "./engine/groups/flow-builder.ts";
export type { Health, Readiness } from "./engine/health.ts";
export type { Hook, HookOptions } from "./engine/hooks/hook.ts";
export type { Limits } from "./engine/limits/limits.ts";
export type { SharedLimits, SharedLimitView } from "./engine/limits/shared.ts";
export type { MillraceOptions } from "./engine/options.ts";
export type {
  DeleteRecordOptions,
  ListRecordsOptions,
  PutRecordOptions,
  RecordOptions,
  UpdateRecordOptions,
} from "./engine/record-options.ts";
export type { RecordPage, Records, StoredRecord } from "./engine/records.ts";
export type { SharedArtifacts } from "./engine/shared-artifacts.ts";
export type { Change } from "./events/change.ts";
export type { Artifact } from "./job/artifact.ts";
export type {
  ChildCounts,
  ChildEnd,
  ChildOptions,
  ChildResults,
  ChildrenArguments,
  ChildrenKey,
  ChildrenOptions,
  ChildSubmitOptions,
  IfChildFails,
} from "./job/children.ts";
export { ChildFailed } from "./job/children.ts";
export type {
  Context,
  JobLog,
  Processor,
  Shareable,
  StepOptions,
  StepRun,
  TransactionOptions,
  UndoHandler,
  UniqueKey,
} from "./job/context.ts";
export { type Failure, type FailureOptions, JobFailure } from "./job/failure.ts";
export type { AttemptOutcome, JobState, Progress, Standing } from "./job/job.ts";
export {
  type AnyModule,
  type Contract,
  type InlineStage,
  type IsNotGiven,
  type IsolatedStage,
  type ModuleOf,
  moduleOf,
  type NotGiven,
  type NoUndos,
  type notGiven,
  type StagedKind,
  type StageOutput,
  type UndoHandlers,
} from "./job/kind/builder.ts";
export { defineKind } from "./job/kind/define-kind.ts";
export type {
  AnySchema,
  Kind,
  Memory,
  NoSignals,
  PayloadInput,
  PayloadOutput,
  RecalledResult,
  SignalInputs,
  SignalSchemas,
  SignalValues,
  Stage,
} from "./job/kind/kind.ts";
export type { KindInfo, StageInfo } from "./job/kind/kind-info.ts";
export type { AnyMiddleware, Middleware } from "./job/kind/middleware.ts";
export type { Pace } from "./job/kind/pace.ts";
export { type ContractWork, work } from "./job/kind/work.ts";
export type { LossReason } from "./job/lease.ts";
export type { OpenedLink } from "./job/opened-link.ts";
export type {
  Concurrency,
  ConcurrencyBounds,
  ConcurrencyKey,
  SharedLimit,
} from "./job/options/concurrency-options.ts";
export type { ContractOptions, Debounce, KindOptions, Throttle, WorkOptions } from "./job/options/kind-options.ts";
export type { LimiterRule } from "./job/options/limiter.ts";
export { DEFAULTS, type Settings } from "./job/options/settings.ts";
export type { StageOptions } from "./job/options/stage-options.ts";
export type { SubmitOptions } from "./job/options/submit-options.ts";
export type { TenantLimits } from "./job/options/tenant-limits.ts";
export type { WaitOptions } from "./job/options/wait-options.ts";
export type { Acceptances, AcceptanceWay, SubmitReceipt } from "./job/receipt.ts";
export type { BatchCounts, BatchView, EndedBatch } from "./job/report/batch-view.ts";
export type { CausePage, CausePageOptions, DeadLetterCause } from "./job/report/cause-page.ts";
export type { ErrorAccount } from "./job/report/error-account.ts";
export type { Explanation, Reason, ReasonCode } from "./job/report/explanation.ts";
export type { ExportedJob } from "./job/report/exported-job.ts";
export type {
  AttemptEvent,
  AttemptFailedEvent,
  CancelledEvent,
  CompletedEvent,
  DeferredEvent,
  FailedEvent,
  HeldEvent,
  JobEvent,
  JobEventName,
  JobEvents,
  ProgressEvent,
  StageCompletedEvent,
  StartedEvent,
  SubmittedEvent,
} from "./job/report/job-event.ts";
export type { LimiterView } from "./job/report/limiter-view.ts";
export type {
  ApprovalDecision,
  ApprovalView,
  DecisionReceipt,
  LongWaitView,
  PublishOptions,
  PublishReceipt,
  SignalJob,
  SignalOptions,
  SignalReceipt,
  SignalView,
  WaitView,
} from "./job/report/messages.ts";
export type { StreamEvent, StreamOptions, StreamView } from "./job/report/stream-event.ts";
export type { CallCounts, JobTree, TreeCall, TreeEdge, TreeNode } from "./job/report/tree.ts";
export type { AttemptView, JobView, WaitsFor } from "./job/report/view.ts";
export type { JobStream } from "./job/stream.ts";
export type {
  DatabaseSource,
  MysqlConnection,
  SqliteConnection,
  TransactionOf,
  TransactionSource,
} from "./job/transaction-source.ts";
export type { CurrentWaitType, StoredType, WaitState, WaitType } from "./job/wait.ts";
export type {
  Approval,
  ApprovalOptions,
  Duration,
  DurationParts,
  EventWaitOptions,
  RaceResult,
  SignalWaitOptions,
  SleepTime,
} from "./job/waiting.ts";
export { JobHandle } from "./job-handle.ts";
export { AppError, type AppErrorOptions } from "./lib/app-error.ts";
export type { Bytes } from "./lib/bytes.ts";
export type { Clock } from "./lib/clock.ts";
export type { Json, Jsonified } from "./lib/json/jsonified.ts";
export type { Option, OptionRule, OptionTable, OptionValues, OutsideCode, WholeValues } from "./lib/options/option.ts";
export { Millrace } from "./millrace.ts";
export { type Confinement, confinement } from "./pool/child/confine/confine.ts";
export { type ConfinementWords, describeConfinement } from "./pool/child/confine/confinement-words.ts";
export { LeaseLost } from "./pool/context/lease-lost.ts";
export type { PoolView } from "./pool/pool-view.ts";
export type { ProcessorView } from "./pool/runner.ts";
export { type PostgresOptions, postgres } from "./store/postgres/factory.ts";
export { type SqliteOptions, sqlite } from "./store/sqlite/factory.ts";
export type { StoreFactory } from "./store/store.ts";
export type { LogLine, Step } from "./store/verbs/attempts.ts";
export type { FlowPlace } from "./store/verbs/batches.ts";
export type { JobFilter } from "./store/verbs/job-filter.ts";
export type { ArtifactInfo, DeadLetterGroup } from "./store/verbs/jobs.ts";
export type { OutboxSight, OutboxState } from "./store/verbs/outbox/outboxes.ts";
export type { KindCounts, TenantCounts } from "./store/verbs/processes.ts";
export type { FlowRequest } from "./submit/flow-request.ts";
export type { JobRequest, SubmitRequests } from "./submit/intake.ts";
export type { ScheduleRule } from "./submit/schedule.ts";
export type { Schedules, ScheduleView } from "./submit/schedules.ts";
export type { Percentiles } from "./telemetry/figures/histogram.ts";
export type { MetricsView, StageView } from "./telemetry/figures/metrics-view.ts";
export type { TenantTotals } from "./telemetry/figures/tenant-figures.ts";
export type { WaitingView } from "./telemetry/figures/waiting.ts";
export type { GivenLog, LogMethods } from "./telemetry/log/given-log.ts";
export { createLog, type Log, type LogOptions } from "./telemetry/log/log.ts";
export type { Fields } from "./telemetry/log/presentable.ts";
export { JobsWithin } from "./transaction/jobs-within.ts";
export type {
  DrizzleTransaction,
  KnexTransaction,
  KyselyTransaction,
  PgTransaction,
  PostgresJsTransaction,
  PrismaTransaction,
  TransactionHandle,
  TypeormTransaction,
} from "./transaction/transaction.ts";
export { defineWorkload, type Workload, type WorkloadOptions } from "./workload/workload.ts";
