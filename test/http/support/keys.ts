import assert from "node:assert/strict";
import { accessRoutes } from "../../../packages/millrace/src/api/access.ts";
import { good, send } from "./call.ts";
import type { Server } from "./server.ts";

type Scope = "submit" | "read" | "admin";

export async function newKey(
  server: Server,
  tenant: string,
  scopes: Scope[],
  more: { expiresAt?: string; name?: string } = {},
): Promise<{ id: string; secret: string }> {
  return good(server, accessRoutes.createKey, { body: { name: `${scopes} of ${tenant}`, tenant, scopes, ...more } });
}

export async function revokedKey(server: Server, tenant: string): Promise<string> {
  const { id, secret } = await newKey(server, tenant, ["admin"]);
  await good(server, accessRoutes.revokeKey, { params: { keyId: id } });
  return secret;
}

/** Good when it was made, and no longer when this resolves. */
export async function expiredKey(server: Server, tenant: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 500).toISOString();
  const { secret } = await newKey(server, tenant, ["admin"], { expiresAt });
  assert.equal((await send(server, "GET", "/jobs", { key: secret })).status, 200);
  while ((await send(server, "GET", "/jobs", { key: secret })).status !== 401)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return secret;
}
