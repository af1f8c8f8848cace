// runtimes: bun or node
// Every route of the OpenAPI document x every credential x own, another's and unknown things.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { held, pathOf, send } from "./support/call.ts";
import { expiredKey, newKey, revokedKey } from "./support/keys.ts";
import { askedOf, MATRIX, type Row } from "./support/matrix.ts";
import { sharedServer } from "./support/server.ts";

const API_KEY = "the administrator's";
const server = await sharedServer({ apiKey: API_KEY });

interface Credential {
  readonly name: string;
  key: string | null;
  readonly asks?: string;
  /** The tenant whose things it has, and one whose it has not. */
  readonly tenant?: string;
  readonly other?: string;
  may(access: Row["access"]): 401 | 403 | true;
}

const open = (access: Row["access"]) => (access === "open" ? true : 401);
const nowhere = () => 401 as const;
const withScope = (scope: string) => (access: Row["access"]) => access === "open" || access === scope || 403;
const everywhere = () => true as const;

const CREDENTIALS: Credential[] = [
  { name: "no key", key: null, may: open },
  { name: "a wrong key", key: "wrong", may: nowhere },
  { name: "a key of the right shape", key: `mr_000000000000_${"x".repeat(43)}`, may: nowhere },
  { name: "an expired key", key: "", may: nowhere },
  { name: "a revoked key", key: "", may: nowhere },
  { name: "a key to submit", key: "", tenant: "a", other: "b", may: withScope("submit") },
  { name: "a key to read", key: "", tenant: "a", other: "b", may: withScope("read") },
  { name: "a tenant's admin key", key: "", tenant: "a", other: "b", may: (access) => access !== "root" || 403 },
  { name: "a tenant's admin key that asks for another tenant", key: "", asks: "b", may: () => 403 },
  { name: "API_KEY", key: API_KEY, tenant: "default", other: "a", may: everywhere },
  { name: "API_KEY for a tenant", key: API_KEY, asks: "b", tenant: "b", other: "a", may: everywhere },
  { name: "API_KEY for all tenants", key: API_KEY, asks: "*", tenant: "a", may: everywhere },
];

before(async () => {
  const admin = (await newKey(server, "a", ["admin"])).secret;
  const made: Record<string, string> = {
    "an expired key": await expiredKey(server, "a"),
    "a revoked key": await revokedKey(server, "a"),
    "a key to submit": (await newKey(server, "a", ["submit"])).secret,
    "a key to read": (await newKey(server, "a", ["read"])).secret,
    "a tenant's admin key": admin,
    "a tenant's admin key that asks for another tenant": admin,
  };
  for (const credential of CREDENTIALS) credential.key = made[credential.name] ?? credential.key;
});

test("every route of the document has a row, and every row a route", async () => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(routes.sort(byName), Object.keys(MATRIX).sort(byName));
});

for (const credential of CREDENTIALS) {
  describe(credential.name, () => {
    for (const [route, row] of Object.entries(MATRIX)) {
      test(route, () => check(credential, route, row));
    }
  });
}

async function check(credential: Credential, route: string, row: Row): Promise<void> {
  const allowed = credential.may(row.access);
  const { thing } = row;
  if (allowed !== true) {
    const ids = thing ? [await thing.make(server, "a"), thing.unknown || "new"] : [undefined];
    for (const id of ids) {
      const { status } = await ask(credential, route, row, id);
      // So many wrong keys in a minute are told to slow down.
      if (status !== 429 || allowed !== 401 || credential.key === null) assert.equal(status, allowed);
    }
    return;
  }
  if (row.oneTenant && credential.asks === "*") {
    const { status } = await ask(credential, route, row, thing && (thing.unknown || "new"));
    assert.equal(status, 422);
    return;
  }
  if (!thing) {
    const { status } = await ask(credential, route, row, undefined);
    assert.ok(status >= 200 && status < 300, `${status}`);
    return;
  }
  const own = await ask(credential, route, row, await thing.make(server, credential.tenant ?? "a"));
  assert.ok(own.status < 300 || own.status === 409, `own: ${own.status} ${JSON.stringify(own.body)}`);
  if (thing.unknown === "") return;
  const unknown = await ask(credential, route, row, thing.unknown);
  assert.equal(unknown.status, 404);
  if (thing.open) return;
  if (!credential.other || (thing.rootSeesAll && credential.key === API_KEY) || thing.param === "kind") return;
  const foreign = await ask(credential, route, row, await thing.make(server, credential.other));
  assert.deepEqual(foreign, unknown, "another's is as unknown as one that never was");
}

async function ask(credential: Credential, route: string, row: Row, id: string | undefined) {
  const [method = "", path = ""] = route.split(" ");
  const asked = askedOf(row, id);
  const response = await send(server, method, pathOf(path, asked), {
    ...asked,
    key: credential.key,
    ...(credential.asks !== undefined && { tenant: credential.asks }),
  });
  if (response.headers.get("content-type") === "text/event-stream") {
    await response.body?.cancel();
    return { status: response.status };
  }
  const { error } = await held(response);
  const { traceId: _traceId, ...body } = error ?? {};
  if (response.status === 401) assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
  return { status: response.status, body };
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}
