import { z } from "zod";
import { Moment, QueryInt, Tenant, Text } from "./common.ts";
import { TenantLimits } from "./limits/tenants.ts";
import { route, type WorkloadScope } from "./route.ts";

/** Which scopes there are is known once the workloads are loaded. */
export const Scope = z.string().max(64).meta({
  description: "`submit`, `read`, `draw`, `admin`, or a scope of a workload: see `GET /workloads`.",
}) as unknown as z.ZodType<ScopeName, ScopeName>;

type ScopeName = "submit" | "read" | "draw" | "admin" | WorkloadScope;

export const Key = z
  .strictObject({
    /** The id of the key. */
    id: z.string(),
    /** The name given to it. */
    name: z.string(),
    /** The tenant that it belongs to. */
    tenant: z.string(),
    /** What it allows. */
    scopes: z.array(Scope),
    /** When it was created. */
    createdAt: Moment,
    /** When it stops working. Missing if it does not expire. */
    expiresAt: Moment.optional(),
    /** When it was revoked. */
    revokedAt: Moment.optional(),
  })
  .meta({ id: "Key", description: "The secret itself is only shown once, when the key is created." });

const Root = z.boolean().meta({
  description: "True for the administrator of all tenants: the caller has `API_KEY`, or the server has no keys.",
});

export const accessRoutes = {
  keys: route({
    method: "GET",
    path: "/keys",
    tag: "access",
    summary: "List keys, without their secrets.",
    access: "admin",
    status: 200,
    answer: z.strictObject({ keys: z.array(Key) }),
  }),
  createKey: route({
    method: "POST",
    path: "/keys",
    tag: "access",
    summary: "Create a key for one tenant. Only this response contains its secret.",
    access: "admin",
    body: z.strictObject({
      name: Text(100),
      tenant: Tenant,
      scopes: z.array(Scope).min(1).max(50),
      expiresAt: Moment.optional(),
    }),
    status: 201,
    answer: z.strictObject({ ...Key.shape, secret: z.string() }),
    example: { body: { name: "the shop", tenant: "shop", scopes: ["submit", "read"] } },
  }),
  revokeKey: route({
    method: "DELETE",
    path: "/keys/{keyId}",
    tag: "access",
    summary: "Revoke a key immediately.",
    access: "admin",
    params: z.strictObject({ keyId: z.string().min(1).max(64) }),
    status: 204,
  }),
  tenants: route({
    method: "GET",
    path: "/tenants",
    tag: "access",
    summary: "List tenants with their running and pending jobs, and their own limits.",
    access: "admin",
    status: 200,
    answer: z.strictObject({
      tenants: z.array(
        z.strictObject({
          /** The name of the tenant. */
          tenant: z.string(),
          /** Jobs that run. */
          running: z.int(),
          /** Jobs that wait. */
          pending: z.int(),
          /** The limits that it has of its own. */
          limits: TenantLimits.optional(),
        }),
      ),
    }),
  }),
  outboxes: route({
    method: "GET",
    path: "/outboxes",
    tag: "access",
    summary: "List outboxes with the rows that wait in them.",
    access: "admin",
    status: 200,
    answer: z.strictObject({
      outboxes: z.array(
        z.strictObject({
          /** The identity that the database of the outbox keeps. */
          name: z.string(),
          /** Its name for people. */
          label: z.string(),
          /** How many rows wait. Counting stops at 10,000. */
          waiting: z.int(),
          /** How long the oldest row had waited, in milliseconds. Missing: no row waited. */
          oldestMs: z.int().optional(),
          /** How long ago its relay last looked, in milliseconds. */
          seenMs: z.int(),
          /** Why rows are not relayed. */
          trouble: z.string().optional(),
        }),
      ),
    }),
  }),
  audit: route({
    method: "GET",
    path: "/audit",
    tag: "access",
    summary: "List administrative actions with their caller, newest first.",
    access: "admin",
    query: z.strictObject({ limit: QueryInt(1, 500).optional(), before: QueryInt(0, 999_999_999).optional() }),
    status: 200,
    answer: z.strictObject({
      entries: z.array(
        z.strictObject({
          /** The number of the entry; pass it as `before` for the next page. */
          id: z.int(),
          /** When it happened, as an ISO 8601 string. */
          at: Moment,
          /** The name of the person or key. */
          who: z.string(),
          /** What was done, such as `job cancelled`. */
          what: z.string(),
          /** What it was done to, such as a job id. */
          target: z.string().optional(),
          /** The tenant that the thing belongs to. */
          tenant: z.string().optional(),
          /** The trace id of the request. */
          traceId: z.string().optional(),
        }),
      ),
    }),
  }),
  config: route({
    method: "GET",
    path: "/config",
    tag: "access",
    summary: "Read the settings in effect. Secrets are masked.",
    access: "root",
    status: 200,
    answer: z.strictObject({
      settings: z.array(z.strictObject({ name: z.string(), value: z.string(), doc: z.string() })),
    }),
  }),
  signIn: route({
    method: "POST",
    path: "/session",
    tag: "access",
    summary: "Sign in to the dashboard with a key. Sets an HttpOnly, SameSite=Strict cookie.",
    access: "open",
    body: z.strictObject({ key: z.string().min(1).max(500) }),
    status: 200,
    answer: z.strictObject({ tenant: z.string(), scopes: z.array(Scope), root: Root, expiresAt: Moment }),
    errors: ["unauthorized", "forbidden", "rate-limited"],
    example: { body: { key: "the key" } },
  }),
  session: route({
    method: "GET",
    path: "/session",
    tag: "access",
    summary: "Read who is signed in.",
    access: "read",
    status: 200,
    answer: z.strictObject({
      tenant: z.string(),
      scopes: z.array(Scope),
      root: Root,
      allTenants: z.boolean().meta({ description: "`X-Tenant-Id` chooses the tenant; `*` reads across all." }),
      name: z.string(),
    }),
  }),
  signOut: route({
    method: "DELETE",
    path: "/session",
    tag: "access",
    summary: "Sign out.",
    access: "open",
    status: 204,
  }),
};
