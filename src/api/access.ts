import { z } from "zod";
import { Moment, QueryInt, Tenant, Text } from "./common.ts";
import { route } from "./route.ts";

export const Scope = z.enum(["submit", "read", "admin"]);

export const Key = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    tenant: z.string(),
    scopes: z.array(Scope),
    createdAt: Moment,
    expiresAt: Moment.optional(),
    revokedAt: Moment.optional(),
  })
  .meta({ id: "Key", description: "The secret itself is shown once, when the key is made." });

const Root = z
  .boolean()
  .meta({ description: "The administrator, over all tenants: `API_KEY`, or whoever reaches a server without keys." });

export const accessRoutes = {
  keys: route({
    method: "GET",
    path: "/keys",
    tag: "access",
    summary: "Keys, without their secrets.",
    access: "admin",
    status: 200,
    answer: z.strictObject({ keys: z.array(Key) }),
  }),
  createKey: route({
    method: "POST",
    path: "/keys",
    tag: "access",
    summary: "Make a key for one tenant. Its secret is in this answer and nowhere else.",
    access: "admin",
    body: z.strictObject({
      name: Text(100),
      tenant: Tenant,
      scopes: z.array(Scope).min(1).max(3),
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
    summary: "Revoke a key at once.",
    access: "admin",
    params: z.strictObject({ keyId: z.string().min(1).max(64) }),
    status: 204,
  }),
  tenants: route({
    method: "GET",
    path: "/tenants",
    tag: "access",
    summary: "Tenants that have submitted work, with what they run and have waiting.",
    access: "admin",
    status: 200,
    answer: z.strictObject({
      tenants: z.array(z.strictObject({ tenant: z.string(), running: z.int(), pending: z.int() })),
    }),
  }),
  audit: route({
    method: "GET",
    path: "/audit",
    tag: "access",
    summary: "Who did what, newest first.",
    access: "admin",
    query: z.strictObject({ limit: QueryInt(1, 500).optional(), before: QueryInt(0, 999_999_999).optional() }),
    status: 200,
    answer: z.strictObject({
      entries: z.array(
        z.strictObject({
          id: z.int(),
          at: Moment,
          who: z.string(),
          what: z.string(),
          target: z.string().optional(),
          tenant: z.string().optional(),
          traceId: z.string().optional(),
        }),
      ),
    }),
  }),
  config: route({
    method: "GET",
    path: "/config",
    tag: "access",
    summary: "Effective settings, secrets masked.",
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
    summary: "Sign in to the dashboard with a key: an HttpOnly, SameSite=Strict cookie.",
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
    summary: "Who is signed in.",
    access: "read",
    status: 200,
    answer: z.strictObject({ tenant: z.string(), scopes: z.array(Scope), root: Root, name: z.string() }),
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
