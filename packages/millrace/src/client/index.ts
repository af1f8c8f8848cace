// What `millrace/client` gives.

export type { ErrorAccount } from "../api/job-shapes-of.ts";
export type { Bytes } from "../lib/bytes.ts";
export type { AccessCalls } from "./access.ts";
export { type Client, type ClientOptions, type ClientPart, createClient } from "./client.ts";
export type { CauseQuery, DeadLetterCalls, DeadLetterFilter } from "./dead-letters.ts";
export { type ClientCode, MillraceError, type MillraceErrorDetails, type RequestIssue } from "./errors.ts";
export {
  type CallOptions,
  type JobCalls,
  type JobChange,
  type JobFilter,
  type JobRef,
  type JobSubmission,
  outcome,
  type SubmitOptions,
} from "./jobs.ts";
export type { InputOf, JobOf, KindMap, KindShape, LooseName, NoKinds, ResultOf, SubmittedJobOf } from "./kinds.ts";
export type { LimitCalls, SharedLimitCalls } from "./limits/limits.ts";
export type { LiveEvent, LiveOptions, WorkloadEvent } from "./live.ts";
export type { OperationCalls, OperationRequest } from "./many/operations.ts";
export type { ViewCalls } from "./many/views.ts";
export { type Ask, ask, askBytes, askText, type Connection, type Fetch } from "./request.ts";
export type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route, RouteTable } from "./routes.ts";
export type { JobFeedOptions, StreamCalls, StreamOptions, StreamReader } from "./streams.ts";
export type { ScheduleCalls, ScheduleOptions, SystemCalls } from "./system.ts";
export { type WaitOptions, waitFor } from "./wait.ts";
export type {
  ArtifactInfo,
  Attempt,
  AuditEntry,
  BatchInfo,
  BatchJob,
  DeadLetter,
  DeadLetterCause,
  DeadLetterCauses,
  DeadLetterGroup,
  DeadLetterList,
  Deployment,
  Explanation,
  ExportedJob,
  FigurePoint,
  FlowEntry,
  Health,
  InstanceInfo,
  Job,
  JobFeedEvent,
  JobList,
  JobSignal,
  JobToken,
  JobTree,
  JobWait,
  Key,
  KindInfo,
  Limiter,
  LogLine,
  LongWait,
  ManyAnswer,
  Metrics,
  OperationInfo,
  OutboxView,
  PendingApproval,
  PoolInfo,
  ProcessorInfo,
  PublishReceipt,
  SavedView,
  Schedule,
  SharedLimit,
  SignalReceipt,
  Step,
  StreamEvent,
  StreamInfo,
  SubmittedJob,
  Tenant,
  TenantLimits,
  WorkloadInfo,
} from "./wire.ts";
export type { MessageOptions, WorkflowCalls } from "./workflow.ts";
