// What `millrace/client` gives.

export { type Client, type ClientOptions, createClient } from "./client.ts";
export type { DeadLetterCalls, DeadLetterFilter } from "./dead-letters.ts";
export type { DiagramCalls, RenderOptions } from "./diagrams.ts";
export { type ClientCode, MillraceError } from "./errors.ts";
export type { CallOptions, JobCalls, JobFilter, JobRef, Submission, SubmitOptions } from "./jobs.ts";
export type { InputOf, JobOf, KindMap, KindShape, ResultOf } from "./kinds.ts";
export type { LiveEvent, LiveOptions } from "./live.ts";
export type { Fetch } from "./request.ts";
export type { SiteCalls, SiteSubmission } from "./sites.ts";
export type { WaitOptions } from "./wait.ts";
export type {
  Attempt,
  AuditEntry,
  DeadLetter,
  DeadLetterGroup,
  DeadLetterList,
  Deployment,
  FigurePoint,
  Health,
  InstanceInfo,
  Job,
  JobList,
  Key,
  KindInfo,
  LogLine,
  ManyAnswer,
  Metrics,
  PoolInfo,
  ProcessorInfo,
  RenderAccepted,
  Rendered,
  RenderRequest,
  Schedule,
  SiteComparison,
  SitePromptSet,
  SiteReport,
  SiteSummary,
  SiteView,
  Step,
  Tenant,
} from "./wire.ts";
