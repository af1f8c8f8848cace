// What `millrace/workload` gives: all that a workload needs at the borders of the engine.

export { ERRORS, type ErrorCode, type ErrorTable, isErrorCode } from "../api/errors.ts";
export { type Finding, fail, ok, warn } from "../cli/doctor/finding.ts";
export type { CommandEntry } from "../cli/entry.ts";
export type { CoreSettings } from "../config/settings.ts";
export { audited, auditedSubmission, OccasionalAudit } from "../http/auth/audit.ts";
export { type Caller, lookingAt, oneTenant, sees } from "../http/auth/caller.ts";
export { networkOf } from "../http/auth/client-address.ts";
export { MissLimit, type MissLimitOptions } from "../http/auth/miss-limit.ts";
export type { Engine, InstancePool, RecordSpace } from "../http/engine.ts";
export { type BoundRoute, bind, type Exchange, type HandlerAnswer, type RoutedRequest } from "../http/request/bind.ts";
export { cursorOf, idOfCursor } from "../http/request/cursor.ts";
export { idempotencyOfBody } from "../http/request/idempotency.ts";
export { type ByteRange, rangeOf } from "../http/request/range.ts";
export { readJson, readText } from "../http/request/read-body.ts";
export { submitOptionsOf } from "../http/request/submit-options.ts";
export { findJob } from "../http/routes/jobs.ts";
export { traceParentOf } from "../http/trace.ts";
export type { KindEntry, PageEntry, ServedWorkloads, WorkloadPages } from "../http/workloads.ts";
export { handedDown } from "../lib/runtime/child-env.ts";
export * from "../settings.ts";
export * from "../shapes.ts";
export { type OpenedWorkloads, type OpenWorkloadsOptions, openWorkloads } from "./open.ts";
export type { Limiters, RouteSetup, Setup } from "./workload.ts";
