// One row for each route: how to ask for something of one's own, of another tenant, or that never was.

import { deflateSync } from "node:zlib";
import { groupRoutes } from "../../../packages/millrace/src/api/groups.ts";
import { limiterRoutes } from "../../../packages/millrace/src/api/limits/limiters.ts";
import { limitRoutes } from "../../../packages/millrace/src/api/limits/tenants.ts";
import { operationRoutes } from "../../../packages/millrace/src/api/many/operations.ts";
import { systemRoutes } from "../../../packages/millrace/src/api/system.ts";
import { workflowRoutes } from "../../../packages/millrace/src/api/workflow.ts";
import { siteRoutes } from "../../../packages/sites/src/api/sites.ts";
import { until } from "../../support/until.ts";
import { type Asked, good } from "./call.ts";
import { ended, submitted } from "./jobs.ts";
import { newKey } from "./keys.ts";
import type { Server } from "./server.ts";

export interface Row {
  readonly access: "open" | "submit" | "read" | "admin" | "root";
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  /** Parts of the path that name nothing of anybody's. */
  readonly path?: Record<string, string>;
  /** What its path names, and how to make one for a tenant. */
  readonly thing?: Thing;
  /** Acts for one tenant, so `X-Tenant-Id: *` is not enough. */
  readonly oneTenant?: true;
}

export interface Thing {
  readonly param: string;
  readonly unknown: string;
  /** The administrator sees those of all tenants, whichever tenant is chosen. */
  readonly rootSeesAll?: true;
  /** Everybody sees those of all tenants. */
  readonly open?: true;
  make(server: Server, tenant: string): Promise<string>;
}

const job: Thing = {
  param: "jobId",
  unknown: "job_00000000",
  make: async (server, tenant) =>
    (await submitted(server, { kind: "quick", payload: tenant, delayMs: 3_600_000 }, { tenant })).jobId,
};

/** The artifact of a job: named in each row by its job. */
const artifact: Thing = {
  ...job,
  make: async (server, tenant) => (await ended(server, { kind: "keeps", payload: ARTIFACTS }, { tenant })).jobId,
};

/** An approval that a job waits for. */
const approval: Thing = {
  param: "approvalId",
  unknown: "apr_00000000",
  make: async (server, tenant) => {
    const { jobId } = await submitted(server, { kind: "asks", payload: null }, { tenant });
    return until("the job waits for its approval", async () => {
      const { approvals } = await good(server, workflowRoutes.approvals, { tenant, query: { jobId } });
      return approvals[0]?.id;
    });
  },
};

/** The token of a link by which anyone who holds it decides an approval. */
const approvalLink: Thing = {
  param: "token",
  unknown: "mra1.x.y",
  open: true,
  make: async (server, tenant) => {
    const { jobId } = await submitted(server, { kind: "asks", payload: null }, { tenant });
    const link = await until("the job waits for its approval", async () => {
      const query = { jobId, audience: "ann" };
      return (await good(server, workflowRoutes.approvals, { tenant, query })).approvals[0]?.link;
    });
    return link.split("/").at(-1) as string;
  },
};

const batch: Thing = {
  param: "batchId",
  unknown: "batch_00000000",
  make: async (server, tenant) => (await good(server, groupRoutes.createBatch, { tenant, body: {} })).id,
};

const operation: Thing = {
  param: "operationId",
  unknown: "op_00000000",
  rootSeesAll: true,
  make: async (server, tenant) => {
    const { jobId } = await submitted(server, { kind: "quick", payload: tenant, delayMs: 3_600_000 }, { tenant });
    const body = { action: "reprioritise", ids: [jobId], priority: 1 };
    return (await good(server, operationRoutes.start, { tenant, body })).id as string;
  },
};

const key: Thing = {
  param: "keyId",
  unknown: "000000000000",
  rootSeesAll: true,
  make: async (server, tenant) => (await newKey(server, tenant, ["read"])).id,
};

let schedules = 0;
const schedule: Thing = {
  param: "name",
  unknown: "unheard-of",
  rootSeesAll: true,
  make: async (server, tenant) => {
    const name = `schedule ${++schedules}`;
    await good(server, systemRoutes.putSchedule, { params: { name }, tenant, body: RULE });
    return name;
  },
};

let tracks = 0;
const track: Thing = {
  param: "name",
  unknown: "unheard-of",
  make: async (server, tenant) => {
    const name = `track-${++tracks}`;
    const body = { url: `https://${name}.test/`, every: "7d" };
    await good(server, siteRoutes.putTrack, { params: { name }, tenant, body });
    return name;
  },
};

const kind: Thing = { param: "kind", unknown: "unheard-of", rootSeesAll: true, make: async () => "quick" };

/** The server's own; its processes live, so what is asked of it conflicts. */
const deployment: Thing = {
  param: "label",
  unknown: "unheard-of",
  rootSeesAll: true,
  make: async (server) => {
    const { deployments } = await good(server, systemRoutes.deployments, {});
    return deployments[0]?.label as string;
  },
};

/** A tenant by its name. The administrator may name one that has submitted nothing yet. */
const tenant: Thing = { param: "tenant", unknown: "", rootSeesAll: true, make: async (_, name) => name };

const limited: Thing = {
  ...tenant,
  unknown: "unheard-of",
  make: async (server, name) => {
    await good(server, limitRoutes.putTenantLimits, { params: { tenant: name }, body: { weight: 1 } });
    return name;
  },
};

const limiter: Thing = {
  param: "name",
  unknown: "unheard-of",
  rootSeesAll: true,
  make: async (server) => {
    await good(server, limiterRoutes.putLimiter, { params: { name: "matrix" }, body: { count: 1, perMs: 1_000 } });
    return "matrix";
  },
};

/** Its number is in the code, so an override is set and reset, and the limit stays. */
const sharedLimit: Thing = { param: "limit", unknown: "unheard-of", rootSeesAll: true, make: async () => "gpu" };

const ARTIFACTS = [{ name: "note.txt", contentType: "text/plain", text: "hello" }];
const DIAGRAM = { source: "flowchart LR", format: "mermaid" };

/** Whoever has the link may follow it. */
const drawing: Thing = {
  param: "shortlink",
  unknown: "AAAAAAAAAAAA",
  open: true,
  make: async (server, tenant) => {
    const { result } = await ended(server, { kind: "render", payload: DIAGRAM }, { tenant });
    return (result as { shortlink: string }).shortlink;
  },
};

/** A run that does not start. */
const run: Thing = {
  param: "jobId",
  unknown: "job_00000000",
  make: async (server, tenant) =>
    (await submitted(server, { kind: "site", payload: newSite(), delayMs: 3_600_000 }, { tenant })).jobId,
};

const sharedReport: Thing = {
  param: "token",
  unknown: "AAAAAAAAAAAAAAAAAAAAAAAA",
  open: true,
  make: async (server, tenant) => {
    const jobId = await run.make(server, tenant);
    const body = { expiresInMs: 3_600_000 };
    const { url } = await good(server, siteRoutes.share, { tenant, params: { jobId }, body });
    return url.split("/").at(-1) as string;
  },
};

let sites = 0;
const newSite = () => ({ url: `https://site-${++sites}.test/` });

const KROKI = { diagram_source: "flowchart LR", diagram_type: "mermaid", output_format: "svg" };
const INK_PATH = { encoded: Buffer.from(KROKI.diagram_source).toString("base64url") };
const KROKI_PATH = { type: "mermaid", format: "svg", encoded: deflateSync(KROKI.diagram_source).toString("base64url") };

const RULE = { cron: "0 0 1 1 *", kind: "quick", payload: 1 };
const FILTER = { filter: { tag: "matrix" }, dryRun: true };

export const MATRIX: Readonly<Record<string, Row>> = {
  "POST /jobs": { access: "submit", body: { kind: "quick", payload: 1 }, oneTenant: true },
  "GET /jobs": { access: "read" },
  "POST /jobs/cancel": { access: "submit", body: FILTER },
  "POST /jobs/retry": { access: "submit", body: FILTER },
  "GET /jobs/{jobId}": { access: "read", thing: job },
  "DELETE /jobs/{jobId}": { access: "submit", thing: job },
  "PATCH /jobs/{jobId}": { access: "submit", thing: job, body: { priority: 1 } },
  "POST /jobs/{jobId}/retry": { access: "submit", thing: job },
  "POST /jobs/{jobId}/run-now": { access: "submit", thing: job },
  "POST /jobs/{jobId}/cancel": { access: "submit", thing: job },
  "POST /jobs/{jobId}/release": { access: "submit", thing: job },
  "GET /jobs/{jobId}/explain": { access: "read", thing: job },
  "GET /jobs/{jobId}/attempts": { access: "read", thing: job },
  "GET /jobs/{jobId}/logs": { access: "read", thing: job },
  "GET /jobs/{jobId}/artifacts": { access: "read", thing: job },
  "GET /jobs/{jobId}/artifacts/{name}": { access: "read", thing: artifact, path: { name: "note.txt" } },
  "GET /jobs/{jobId}/steps": { access: "read", thing: job },
  "POST /jobs/{jobId}/signals/{name}": { access: "submit", thing: job, path: { name: "paid" }, body: { amount: 1 } },
  "GET /jobs/{jobId}/signals": { access: "read", thing: job },
  "GET /jobs/{jobId}/waits": { access: "read", thing: job },
  "GET /jobs/{jobId}/tree": { access: "read", thing: job },
  "GET /jobs/{jobId}/export": { access: "read", thing: job },
  "GET /jobs/{jobId}/streams": { access: "read", thing: job },
  "GET /jobs/{jobId}/streams/{name}": { access: "read", thing: job, path: { name: "answer" } },
  "GET /jobs/{jobId}/events": { access: "read", thing: job },
  "POST /jobs/{jobId}/tokens": { access: "read", thing: job, body: {} },
  "POST /signals/{name}": {
    access: "submit",
    path: { name: "paid" },
    body: { kind: "quick", uniqueKey: "order-7", orSubmit: "payload" },
    oneTenant: true,
  },
  "POST /events/{topic}": { access: "submit", path: { topic: "order.paid" }, body: { orderId: 1 }, oneTenant: true },
  "GET /waits/long": { access: "read" },
  "GET /approvals": { access: "read" },
  "POST /approvals/{approvalId}": { access: "submit", thing: approval, body: { choice: "yes" } },
  "GET /approvals/links/{token}": { access: "open", thing: approvalLink },
  "POST /approvals/links/{token}": { access: "open", thing: approvalLink, body: { choice: "yes" } },
  "POST /batches": { access: "submit", body: {}, oneTenant: true },
  "GET /batches": { access: "read" },
  "GET /batches/{batchId}": { access: "read", thing: batch },
  "POST /batches/{batchId}/jobs": { access: "submit", thing: batch, body: [{ kind: "quick", payload: "a" }] },
  "POST /batches/{batchId}/seal": { access: "submit", thing: batch },
  "POST /batches/{batchId}/cancel": { access: "submit", thing: batch },
  "POST /batches/{batchId}/retry-failed": { access: "submit", thing: batch },
  "POST /flows": {
    access: "submit",
    body: { jobs: [{ name: "one", job: { kind: "quick", payload: "a" } }] },
    oneTenant: true,
  },
  "POST /operations": { access: "submit", body: { action: "revive", filter: { tag: "matrix" }, dryRun: true } },
  "GET /operations": { access: "read" },
  "GET /operations/{operationId}": { access: "read", thing: operation },
  "POST /operations/{operationId}/pause": { access: "submit", thing: operation },
  "POST /operations/{operationId}/resume": { access: "submit", thing: operation },
  "POST /operations/{operationId}/stop": { access: "submit", thing: operation },
  "POST /operations/{operationId}/undo": { access: "submit", thing: operation },
  "GET /workloads": { access: "read" },
  "GET /workloads/{workload}/{file}": { access: "read", path: { workload: "greetings", file: "page.js" } },
  "POST /render": { access: "submit", body: DIAGRAM, oneTenant: true },
  "GET /d/{shortlink}": { access: "open", thing: drawing },
  "GET /kroki/{type}/{format}/{encoded}": { access: "submit", path: KROKI_PATH, oneTenant: true },
  "POST /kroki": { access: "submit", body: KROKI, oneTenant: true },
  "POST /kroki/{type}": { access: "submit", path: { type: "mermaid" }, body: KROKI, oneTenant: true },
  "POST /kroki/{type}/{format}": { access: "submit", path: KROKI_PATH, body: KROKI, oneTenant: true },
  "GET /img/{encoded}": { access: "submit", path: INK_PATH, oneTenant: true },
  "GET /svg/{encoded}": { access: "submit", path: INK_PATH, oneTenant: true },
  "GET /pdf/{encoded}": { access: "submit", path: INK_PATH, oneTenant: true },
  "GET /ink/img/{encoded}": { access: "submit", path: INK_PATH, oneTenant: true },
  "GET /ink/svg/{encoded}": { access: "submit", path: INK_PATH, oneTenant: true },
  "GET /ink/pdf/{encoded}": { access: "submit", path: INK_PATH, oneTenant: true },
  "GET /kroki/health": { access: "read" },
  "GET /kroki/v1/health": { access: "read" },
  "GET /kroki/healthz": { access: "read" },
  "POST /sites": {
    access: "submit",
    oneTenant: true,
    // Of one site there is one run at a time.
    get body() {
      return newSite();
    },
  },
  "GET /sites": { access: "read" },
  "GET /sites/tracks": { access: "read" },
  "GET /sites/tracks/{name}": { access: "read", thing: track },
  "PUT /sites/tracks/{name}": {
    access: "submit",
    thing: { ...track, unknown: "" },
    oneTenant: true,
    body: { url: "https://track.test/", every: "7d" },
  },
  "DELETE /sites/tracks/{name}": { access: "submit", thing: track, oneTenant: true },
  "GET /sites/{jobId}": { access: "read", thing: run },
  "GET /sites/{jobId}/prompts": { access: "read", thing: run },
  "PUT /sites/{jobId}/prompts": { access: "submit", thing: run, body: { prompts: ["What is the best bread?"] } },
  "POST /sites/{jobId}/prompts/approve": { access: "submit", thing: run },
  "POST /sites/{jobId}/budget": { access: "submit", thing: run, body: { finish: true } },
  "POST /sites/{jobId}/retry": { access: "submit", thing: run },
  "POST /sites/{jobId}/again": { access: "submit", thing: run },
  "POST /sites/{jobId}/share": { access: "submit", thing: run, body: { expiresInMs: 60_000 } },
  "GET /site-reports/{token}": { access: "open", thing: sharedReport },
  "GET /sites/{jobId}/report.ndjson": { access: "read", thing: run },
  "PUT /sites/{jobId}/rivals": { access: "submit", thing: run, body: { rivals: [] } },
  "GET /sites/{jobId}/compare": { access: "read", thing: run },
  "GET /sites/{jobId}/report": { access: "read", thing: run },
  "GET /sites/{jobId}/report.json": { access: "read", thing: run },
  "GET /sites/{jobId}/report.csv": { access: "read", thing: run },
  "GET /sites/{jobId}/report.pdf": { access: "read", thing: run },
  "GET /dlq": { access: "read" },
  "POST /dlq/revive": { access: "submit", body: FILTER },
  "DELETE /dlq": { access: "submit", query: { all: "true", dryRun: "true" } },
  "GET /health": { access: "open" },
  "GET /ready": { access: "open" },
  "GET /metrics": { access: "root" },
  "GET /metrics/history": { access: "root" },
  "GET /kinds": { access: "read" },
  "POST /kinds/{kind}/pause": { access: "root", thing: kind },
  "POST /kinds/{kind}/resume": { access: "root", thing: kind },
  "GET /pools": { access: "root" },
  "GET /deployments": { access: "root" },
  "POST /deployments/{label}/unpin": { access: "root", thing: deployment },
  "GET /schedules": { access: "admin" },
  "GET /schedules/{name}": { access: "admin", thing: schedule },
  "PUT /schedules/{name}": { access: "admin", thing: { ...schedule, unknown: "" }, body: RULE },
  "GET /schedule-preview": { access: "admin", query: { cron: "0 0 1 1 *" } },
  "POST /schedules/{name}/run-now": { access: "admin", thing: schedule },
  "GET /jobs/export": { access: "read", query: { format: "csv" } },
  "DELETE /schedules/{name}": { access: "admin", thing: schedule },
  "GET /keys": { access: "admin" },
  "POST /keys": { access: "admin", body: { name: "x", tenant: "a", scopes: ["read"] } },
  "DELETE /keys/{keyId}": { access: "admin", thing: key },
  "GET /tenants": { access: "admin" },
  "GET /outboxes": { access: "admin" },
  "GET /tenants/{tenant}/limits": { access: "admin", thing: tenant },
  "PUT /tenants/{tenant}/limits": { access: "root", thing: tenant, body: { weight: 1 } },
  "DELETE /tenants/{tenant}/limits": { access: "root", thing: limited },
  "GET /limiters": { access: "root" },
  "PUT /limiters/{name}": { access: "root", thing: { ...limiter, unknown: "" }, body: { count: 1, perMs: 1_000 } },
  "DELETE /limiters/{name}": { access: "root", thing: limiter },
  "POST /limiters/{name}/unblock": { access: "root", thing: limiter },
  "GET /limits": { access: "root" },
  "PUT /limits/{limit}": { access: "root", thing: sharedLimit, body: { total: 2 } },
  "DELETE /limits/{limit}": { access: "root", thing: sharedLimit },
  "GET /audit": { access: "admin" },
  "GET /config": { access: "root" },
  "POST /session": { access: "open", body: { key: "the administrator's" } },
  "GET /session": { access: "read" },
  "DELETE /session": { access: "open" },
  "GET /live": { access: "read" },
  "GET /openapi.json": { access: "open" },
  "GET /docs": { access: "open" },
};

export function askedOf({ query, body, path, thing }: Row, id: string | undefined): Asked {
  return {
    ...(query && { query }),
    ...(body !== undefined && { body }),
    params: { ...path, ...(thing && id !== undefined && { [thing.param]: id }) },
  };
}
