// The public API, and the only file that re-exports.

export type { ReviveRequest } from "./engine/control.ts";
export type { DeploymentView, UnservedStage } from "./engine/deployments.ts";
export type { MillraceOptions } from "./engine/options.ts";
export type { SharedArtifacts } from "./engine/shared-artifacts.ts";
export type { Context, JobLog, Processor, Shareable, UniqueKey } from "./job/context.ts";
export type { ErrorAccount } from "./job/error-account.ts";
export { type Failure, type FailureOptions, JobFailure } from "./job/failure.ts";
export type { AttemptOutcome, JobState, Progress, Standing } from "./job/job.ts";
export {
  type Contract,
  defineKind,
  type Kind,
  type KindOptions,
  type Memory,
  moduleOf,
  type Recalled,
  type StageOptions,
  type WorkOptions,
} from "./job/kind.ts";
export type { OpenedLink } from "./job/opened-link.ts";
export { DEFAULTS, type Settings } from "./job/settings.ts";
export type { AttemptView, JobView } from "./job/view.ts";
export type { WaitOptions } from "./job/wait-options.ts";
export { type ContractWork, work } from "./job/work.ts";
export { JobHandle } from "./job-handle.ts";
export { AppError } from "./lib/app-error.ts";
export type { Json, Jsonified } from "./lib/jsonified.ts";
export { type Health, Millrace, type Readiness } from "./millrace.ts";
export { type Confinement, confinement } from "./pool/confine.ts";
export { type ConfinementWords, describeConfinement } from "./pool/confinement-words.ts";
export { LeaseLost } from "./pool/lease-lost.ts";
export type { PoolView } from "./pool/pools.ts";
export { postgres } from "./store/postgres/factory.ts";
export { sqlite } from "./store/sqlite/factory.ts";
export type { JobFilter, KindCounts, LogLine, Step } from "./store/store.ts";
export type { ScheduleRule } from "./submit/schedule.ts";
export type { ScheduleView } from "./submit/schedules.ts";
export type { SubmitOptions } from "./submit/submit.ts";
export type { GivenLog, LogMethods } from "./telemetry/given-log.ts";
export type { Log } from "./telemetry/log.ts";
export type { MetricsView } from "./telemetry/metrics-view.ts";
