// Method and path of every route, as text: the schemas would bring zod along, and a browser needs none of it. The types
// come from the routes themselves, so a route that is missing here does not compile; a test compares the paths.

import type { z } from "zod";
import type { accessRoutes } from "../api/access.ts";
import type { dlqRoutes } from "../api/dead-letters.ts";
import type { jobRoutes } from "../api/job.ts";
import type { liveRoutes } from "../api/live.ts";
import type { renderRoutes } from "../api/render.ts";
import type { RouteSpec } from "../api/route.ts";
import type { siteRoutes } from "../api/sites.ts";
import type { systemRoutes } from "../api/system.ts";

/** `GET /jobs/{jobId}`, and to the compiler what goes in and comes out. */
export type Route<Spec> = string & { readonly spec?: Spec };
type Table<Specs> = { readonly [Name in keyof Specs]: Route<Specs[Name]> };

export const jobs: Table<typeof jobRoutes> = {
  submit: "POST /jobs",
  list: "GET /jobs",
  cancelMany: "POST /jobs/cancel",
  retryMany: "POST /jobs/retry",
  get: "GET /jobs/{jobId}",
  forget: "DELETE /jobs/{jobId}",
  retry: "POST /jobs/{jobId}/retry",
  cancel: "POST /jobs/{jobId}/cancel",
  release: "POST /jobs/{jobId}/release",
  attempts: "GET /jobs/{jobId}/attempts",
  logs: "GET /jobs/{jobId}/logs",
  steps: "GET /jobs/{jobId}/steps",
};

export const dlq: Table<typeof dlqRoutes> = {
  list: "GET /dlq",
  revive: "POST /dlq/revive",
  discard: "DELETE /dlq",
};

export const system: Table<typeof systemRoutes> = {
  health: "GET /health",
  ready: "GET /ready",
  metrics: "GET /metrics",
  metricsHistory: "GET /metrics/history",
  kinds: "GET /kinds",
  pause: "POST /kinds/{kind}/pause",
  resume: "POST /kinds/{kind}/resume",
  pools: "GET /pools",
  deployments: "GET /deployments",
  unpin: "POST /deployments/{label}/unpin",
  schedules: "GET /schedules",
  schedule: "GET /schedules/{name}",
  putSchedule: "PUT /schedules/{name}",
  removeSchedule: "DELETE /schedules/{name}",
};

export const access: Table<typeof accessRoutes> = {
  keys: "GET /keys",
  createKey: "POST /keys",
  revokeKey: "DELETE /keys/{keyId}",
  tenants: "GET /tenants",
  audit: "GET /audit",
  config: "GET /config",
  signIn: "POST /session",
  session: "GET /session",
  signOut: "DELETE /session",
};

export const sites: Table<typeof siteRoutes> = {
  submit: "POST /sites",
  list: "GET /sites",
  get: "GET /sites/{jobId}",
  prompts: "GET /sites/{jobId}/prompts",
  editPrompts: "PUT /sites/{jobId}/prompts",
  approvePrompts: "POST /sites/{jobId}/prompts/approve",
  raiseBudget: "POST /sites/{jobId}/budget",
  retry: "POST /sites/{jobId}/retry",
  compare: "GET /sites/{jobId}/compare",
  report: "GET /sites/{jobId}/report",
  reportJson: "GET /sites/{jobId}/report.json",
  reportCsv: "GET /sites/{jobId}/report.csv",
  reportPdf: "GET /sites/{jobId}/report.pdf",
};

export const diagrams: Table<typeof renderRoutes> = {
  render: "POST /render",
  drawing: "GET /d/{shortlink}",
};

export const live: Route<typeof liveRoutes.live> = "GET /live";

type Part<Schema> = Schema extends z.ZodUndefined ? undefined : Schema extends z.ZodType ? z.output<Schema> : undefined;

export type ParamsOf<Spec> =
  Spec extends RouteSpec<infer Params, z.ZodType, z.ZodType, z.ZodType> ? Part<Params> : never;
/** As the server understands it: numbers are numbers here, and become text on the way. */
export type QueryOf<Spec> = Spec extends RouteSpec<z.ZodType, infer Query, z.ZodType, z.ZodType> ? Part<Query> : never;
export type BodyOf<Spec> =
  Spec extends RouteSpec<z.ZodType, z.ZodType, infer Body, z.ZodType>
    ? Body extends z.ZodUndefined
      ? undefined
      : z.input<Body>
    : never;
export type AnswerOf<Spec> =
  Spec extends RouteSpec<z.ZodType, z.ZodType, z.ZodType, infer Answer> ? Part<Answer> : never;
