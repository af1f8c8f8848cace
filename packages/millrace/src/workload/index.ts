// What `millrace/workload` gives: all that a workload needs at the borders of the engine.

export { ERRORS, type ErrorCode, type ErrorTable, isErrorCode } from "../api/errors.ts";
export { type Finding, fail, ok, warn } from "../cli/doctor/finding.ts";
export type { CommandEntry } from "../cli/entry.ts";
export type { CoreSettings } from "../config/settings.ts";
export { audited, auditedSubmission, OccasionalAudit } from "../http/audit.ts";
export { type Answered, type Bound, bind, type Exchange, type Incoming } from "../http/bind.ts";
export { type Caller, lookingAt, oneTenant, sees } from "../http/caller.ts";
export { networkOf } from "../http/client-address.ts";
export { cursorOf, idOfCursor } from "../http/cursor.ts";
export type { Engine, InstancePool } from "../http/engine.ts";
export { idempotencyOfBody } from "../http/idempotency.ts";
export { MissLimit, type MissLimitOptions } from "../http/miss-limit.ts";
export { type ByteRange, rangeOf } from "../http/range.ts";
export { readJson, readText } from "../http/read-body.ts";
export { findJob } from "../http/routes/jobs.ts";
export { submitOptionsOf } from "../http/submit-options.ts";
export { traceParentOf } from "../http/trace.ts";
export type { KindEntry, PageEntry, ServedWorkloads, WorkloadPages } from "../http/workloads.ts";
export { handedDown } from "../lib/child-env.ts";
export * from "../settings.ts";
export * from "../shapes.ts";
export { type OpenedWorkloads, type OpenWorkloadsOptions, openWorkloads } from "./open.ts";
export type { Limiters, RouteSetup, Setup } from "./workload.ts";
