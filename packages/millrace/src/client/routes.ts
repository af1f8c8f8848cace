// Method and path of every route, as text: the schemas would bring zod along, and a browser needs none of it. The types
// come from the routes themselves, so a route that is missing here does not compile; a test compares the paths.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { accessRoutes } from "../api/access.ts";
import type { dlqRoutes } from "../api/dead-letters.ts";
import type { liveRoutes } from "../api/feeds/live.ts";
import type { streamRoutes } from "../api/feeds/streams.ts";
import type { groupRoutes } from "../api/groups.ts";
import type { jobRoutes } from "../api/job.ts";
import type { limiterRoutes } from "../api/limits/limiters.ts";
import type { limitRoutes } from "../api/limits/tenants.ts";
import type { operationRoutes } from "../api/many/operations.ts";
import type { viewRoutes } from "../api/many/views.ts";
import type { Nothing, RouteSpec } from "../api/route.ts";
import type { systemRoutes } from "../api/system.ts";
import type { workflowRoutes } from "../api/workflow.ts";
import type { workloadRoutes } from "../api/workloads.ts";

/** Method and path of a route, such as `GET /jobs/{jobId}`. The compiler knows what goes in and what comes out. */
export type Route<Spec> = string & { readonly spec?: Spec };
/** Method and path of several routes, by name. */
export type RouteTable<Specs> = { readonly [Name in keyof Specs]: Route<Specs[Name]> };

export const jobs: RouteTable<typeof jobRoutes> = {
  submit: "POST /jobs",
  list: "GET /jobs",
  cancelMany: "POST /jobs/cancel",
  retryMany: "POST /jobs/retry",
  exportList: "GET /jobs/export",
  runNow: "POST /jobs/{jobId}/run-now",
  get: "GET /jobs/{jobId}",
  forget: "DELETE /jobs/{jobId}",
  retry: "POST /jobs/{jobId}/retry",
  update: "PATCH /jobs/{jobId}",
  cancel: "POST /jobs/{jobId}/cancel",
  release: "POST /jobs/{jobId}/release",
  explain: "GET /jobs/{jobId}/explain",
  attempts: "GET /jobs/{jobId}/attempts",
  logs: "GET /jobs/{jobId}/logs",
  steps: "GET /jobs/{jobId}/steps",
  artifacts: "GET /jobs/{jobId}/artifacts",
  artifact: "GET /jobs/{jobId}/artifacts/{name}",
};

export const dlq: RouteTable<typeof dlqRoutes> = {
  list: "GET /dlq",
  revive: "POST /dlq/revive",
  discard: "DELETE /dlq",
};

export const system: RouteTable<typeof systemRoutes> = {
  health: "GET /health",
  ready: "GET /ready",
  metrics: "GET /metrics",
  metricsHistory: "GET /metrics/history",
  kinds: "GET /kinds",
  pause: "POST /kinds/{kind}/pause",
  resume: "POST /kinds/{kind}/resume",
  pools: "GET /pools",
  limits: "GET /limits",
  setLimit: "PUT /limits/{limit}",
  resetLimit: "DELETE /limits/{limit}",
  deployments: "GET /deployments",
  unpin: "POST /deployments/{label}/unpin",
  schedules: "GET /schedules",
  schedule: "GET /schedules/{name}",
  putSchedule: "PUT /schedules/{name}",
  previewSchedule: "GET /schedule-preview",
  runSchedule: "POST /schedules/{name}/run-now",
  removeSchedule: "DELETE /schedules/{name}",
};

export const access: RouteTable<typeof accessRoutes> = {
  keys: "GET /keys",
  createKey: "POST /keys",
  revokeKey: "DELETE /keys/{keyId}",
  tenants: "GET /tenants",
  outboxes: "GET /outboxes",
  audit: "GET /audit",
  config: "GET /config",
  signIn: "POST /session",
  session: "GET /session",
  signOut: "DELETE /session",
};

export const limiters: RouteTable<typeof limiterRoutes> = {
  limiters: "GET /limiters",
  putLimiter: "PUT /limiters/{name}",
  resetLimiter: "DELETE /limiters/{name}",
  unblockLimiter: "POST /limiters/{name}/unblock",
};

export const limits: RouteTable<typeof limitRoutes> = {
  tenantLimits: "GET /tenants/{tenant}/limits",
  putTenantLimits: "PUT /tenants/{tenant}/limits",
  removeTenantLimits: "DELETE /tenants/{tenant}/limits",
};

export const workflow: RouteTable<typeof workflowRoutes> = {
  export: "GET /jobs/{jobId}/export",
  signal: "POST /jobs/{jobId}/signals/{name}",
  signalByKey: "POST /signals/{name}",
  signals: "GET /jobs/{jobId}/signals",
  waits: "GET /jobs/{jobId}/waits",
  tree: "GET /jobs/{jobId}/tree",
  publish: "POST /events/{topic}",
  longWaits: "GET /waits/long",
  approvals: "GET /approvals",
  decide: "POST /approvals/{approvalId}",
  approvalLink: "GET /approvals/links/{token}",
  decideByLink: "POST /approvals/links/{token}",
};

export const groups: RouteTable<typeof groupRoutes> = {
  createBatch: "POST /batches",
  batches: "GET /batches",
  batch: "GET /batches/{batchId}",
  addToBatch: "POST /batches/{batchId}/jobs",
  sealBatch: "POST /batches/{batchId}/seal",
  cancelBatch: "POST /batches/{batchId}/cancel",
  retryBatch: "POST /batches/{batchId}/retry-failed",
  submitFlow: "POST /flows",
};

export const views: RouteTable<typeof viewRoutes> = {
  list: "GET /views",
  put: "PUT /views/{name}",
  remove: "DELETE /views/{name}",
};

export const operations: RouteTable<typeof operationRoutes> = {
  start: "POST /operations",
  list: "GET /operations",
  find: "GET /operations/{operationId}",
  pause: "POST /operations/{operationId}/pause",
  resume: "POST /operations/{operationId}/resume",
  stop: "POST /operations/{operationId}/stop",
  undo: "POST /operations/{operationId}/undo",
};

export const streams: RouteTable<typeof streamRoutes> = {
  streams: "GET /jobs/{jobId}/streams",
  stream: "GET /jobs/{jobId}/streams/{name}",
  events: "GET /jobs/{jobId}/events",
  createToken: "POST /jobs/{jobId}/tokens",
};

export const workloads: RouteTable<typeof workloadRoutes> = {
  list: "GET /workloads",
  file: "GET /workloads/{workload}/{file}",
};

export const live: Route<typeof liveRoutes.live> = "GET /live";

type AnyRouteSchema = StandardSchemaV1;
type Part<Schema> = Schema extends Nothing
  ? undefined
  : Schema extends AnyRouteSchema
    ? StandardSchemaV1.InferOutput<Schema>
    : undefined;

/** The parameters in the path of a route. */
export type ParamsOf<Spec> =
  Spec extends RouteSpec<infer Params, AnyRouteSchema, AnyRouteSchema, AnyRouteSchema> ? Part<Params> : never;
/** The query of a route. Numbers are numbers here and become text on the way. */
export type QueryOf<Spec> =
  Spec extends RouteSpec<AnyRouteSchema, infer Query, AnyRouteSchema, AnyRouteSchema> ? Part<Query> : never;
/** The body of a route. */
export type BodyOf<Spec> =
  Spec extends RouteSpec<AnyRouteSchema, AnyRouteSchema, infer Body, AnyRouteSchema>
    ? Body extends Nothing
      ? undefined
      : StandardSchemaV1.InferInput<Body>
    : never;
/** The answer of a route. */
export type AnswerOf<Spec> =
  Spec extends RouteSpec<AnyRouteSchema, AnyRouteSchema, AnyRouteSchema, infer Answer> ? Part<Answer> : never;
