// runtimes: bun or node

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { renderRoutes } from "../../packages/diagrams/src/api/render.ts";
import { accessRoutes } from "../../packages/millrace/src/api/access.ts";
import { jobRoutes } from "../../packages/millrace/src/api/job.ts";
import { call, good, refused, send } from "./support/call.ts";
import { newKey } from "./support/keys.ts";
import { sharedServer, startServer } from "./support/server.ts";

const server = await sharedServer({ apiKey: "root" });

describe("keys", () => {
  test("are shown once, kept hashed, listed without their secret and revoked at once", async () => {
    const { id, secret } = await newKey(server, "a", ["read", "read", "submit"]);
    assert.match(secret, /^mr_[a-z0-9]{12}_[\w-]{43}$/);
    const { keys } = await good(server, accessRoutes.keys);
    const listed = keys.find((key) => key.id === id);
    assert.deepEqual(listed?.scopes, ["read", "submit"]);
    assert.ok(!JSON.stringify(keys).includes(secret));
    await good(server, jobRoutes.list, { key: secret });
    for (const file of ["jobs.db", "jobs.db-wal"]) {
      const bytes = readFileSync(join(server.folder, file));
      assert.ok(!bytes.includes(secret) && !bytes.includes(secret.slice(16)), `${file} holds the secret`);
    }
    await good(server, accessRoutes.revokeKey, { params: { keyId: id } });
    await refused(server, jobRoutes.list, { key: secret }, "unauthorized");
    const revoked = (await good(server, accessRoutes.keys)).keys.find((key) => key.id === id);
    assert.ok(revoked?.revokedAt);
    const { entries } = await good(server, accessRoutes.audit, { query: { limit: 2 } });
    assert.deepEqual(
      entries.map(({ what, target }) => [what, target]),
      [
        ["key revoked", id],
        ["key created", id],
      ],
    );
  });

  test("that do not fit are refused with the path", async () => {
    const good = { name: "x", tenant: "a", scopes: ["read"] };
    const cases: [object, string][] = [
      [{ ...good, name: "" }, "name"],
      [{ ...good, tenant: "a b" }, "tenant"],
      [{ ...good, tenant: "*" }, "tenant"],
      [{ ...good, scopes: [] }, "scopes"],
      [{ ...good, scopes: ["root"] }, "scopes.0"],
      [{ ...good, expiresAt: "2001-01-01T00:00:00Z" }, "expiresAt"],
      [{ ...good, secretHash: "0" }, "secretHash"],
    ];
    for (const [body, path] of cases) {
      const { error } = await refused(server, accessRoutes.createKey, { body }, "invalid-request");
      assert.equal(error.issues?.[0]?.path, path);
    }
  });
});

test("settings are shown with secrets masked, the audit in pages", async () => {
  const { settings } = await good(server, accessRoutes.config);
  assert.deepEqual(
    settings.map(({ value }) => value),
    ["********"],
  );
  await newKey(server, "p", ["read"]);
  await newKey(server, "p", ["read"]);
  const first = await good(server, accessRoutes.audit, { query: { limit: 1 } });
  const second = await good(server, accessRoutes.audit, {
    query: { limit: 1, before: first.entries[0]?.id as number },
  });
  assert.ok((first.entries[0]?.id as number) > (second.entries[0]?.id as number));
});

test("what a person submits is in the audit once; what a program submits is told by its jobs", async () => {
  const latest = async () => (await good(server, accessRoutes.audit, { query: { limit: 1 } })).entries[0];
  const origin = { origin: server.url, "sec-fetch-site": "same-origin" };
  const headers = { ...origin, "idempotency-key": "by-hand" };
  const body = { kind: "quick", payload: { by: "hand" } };
  const job = await good(server, jobRoutes.submit, { headers, body });
  const written = await latest();
  assert.deepEqual([written?.what, written?.target], ["job submitted", "jobId" in job && job.jobId]);
  await call(server, jobRoutes.submit, { headers, body });
  await good(server, jobRoutes.submit, { body });
  assert.equal((await latest())?.id, written?.id, "neither the replay nor the program's is written");
  await good(server, jobRoutes.submit, { headers: origin, body: [body, body] });
  const many = await latest();
  assert.deepEqual([many?.what, many?.target], ["jobs submitted", "2 jobs"]);
});

test("drawing in the editor is in the audit once, not at every pause in typing", async () => {
  const drawings = async () => {
    const { entries } = await good(server, accessRoutes.audit, { query: { limit: 100 } });
    return entries.filter(({ what }) => what === "diagrams drawn");
  };
  const draw = (label: string, headers: Record<string, string>) =>
    call(server, renderRoutes.render, {
      query: { mode: "sync" },
      headers,
      body: { format: "graphviz", source: `digraph { ${label} }` },
    });
  await draw("program", {});
  assert.equal((await drawings()).length, 0);
  const headers = { origin: server.url, "sec-fetch-site": "same-origin" };
  for (const label of ["first", "second"]) await draw(label, headers);
  assert.deepEqual(
    (await drawings()).map(({ tenant }) => tenant),
    ["default"],
  );
});

test("what the administrator does to jobs of several tenants is in the audit of each", async () => {
  const waiting = { body: { kind: "quick", payload: 1, delayMs: 3_600_000 } };
  const submit = async (tenant: string) => {
    const job = await good(server, jobRoutes.submit, { ...waiting, headers: { "x-tenant-id": tenant } });
    return "jobId" in job ? job.jobId : "";
  };
  const [mine, other, third] = [await submit("left"), await submit("right"), await submit("right")];
  const all = { "x-tenant-id": "*" };
  await good(server, jobRoutes.cancelMany, { headers: all, body: { ids: [mine, other, third] } });
  const { entries } = await good(server, accessRoutes.audit, { query: { limit: 2 } });
  assert.deepEqual(
    entries.map(({ what, target, tenant }) => [what, target, tenant]).sort(),
    [
      ["jobs cancelled", "2 jobs", "right"],
      ["jobs cancelled", mine, "left"],
    ].sort(),
  );
});

describe("a session", () => {
  test("is a cookie no script can read, and ends with signing out or with its key", async () => {
    const { id, secret } = await newKey(server, "s", ["read"]);
    const signedIn = await call(server, accessRoutes.signIn, { key: null, body: { key: secret } });
    assert.equal(signedIn.status, 200);
    assert.deepEqual([signedIn.body.tenant, signedIn.body.scopes], ["s", ["read"]]);
    const cookie = signedIn.headers.get("set-cookie") ?? "";
    assert.match(cookie, /^millrace_session=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    assert.ok(!cookie.includes(secret));
    const headers = { cookie: cookie.split(";")[0] as string };
    const who = await good(server, accessRoutes.session, { key: null, headers });
    assert.equal(who.tenant, "s");
    await refused(server, accessRoutes.keys, { key: null, headers }, "forbidden");
    const tampered = { cookie: `${headers.cookie.slice(0, -2)}AA` };
    await refused(server, accessRoutes.session, { key: null, headers: tampered }, "unauthorized");
    const out = await call(server, accessRoutes.signOut, { key: null, headers });
    assert.equal(out.status, 204);
    assert.match(out.headers.get("set-cookie") ?? "", /^millrace_session=; .*Max-Age=0/);
    await refused(server, accessRoutes.session, { key: null, headers }, "unauthorized");
    const again = await call(server, accessRoutes.signIn, { key: null, body: { key: secret } });
    const second = { cookie: cookieOf(again.headers) };
    await good(server, accessRoutes.session, { key: null, headers: second });
    await good(server, accessRoutes.revokeKey, { params: { keyId: id } });
    await refused(server, accessRoutes.session, { key: null, headers: second }, "unauthorized");
  });

  test("holds in every process on the store, and signing out ends it in all of them", async (t) => {
    const left = await startServer(t, { apiKey: "root" });
    const other = await startServer(t, { apiKey: "root", path: join(left.folder, "jobs.db") });
    const { headers } = await call(left, accessRoutes.signIn, { key: null, body: { key: "root" } });
    const asked = { key: null, headers: { cookie: cookieOf(headers) } };
    for (const each of [left, other]) assert.equal((await good(each, accessRoutes.session, asked)).root, true);
    await good(other, accessRoutes.signOut, asked);
    await refused(other, accessRoutes.session, asked, "unauthorized");
    // A session that was good is believed for a second.
    while ((await call(left, accessRoutes.session, asked)).status !== 401) await pause(50);
    const rotated = await startServer(t, { apiKey: "another root", path: join(left.folder, "jobs.db") });
    const later = await call(left, accessRoutes.signIn, { key: null, body: { key: "root" } });
    const cookie = cookieOf(later.headers);
    await refused(rotated, accessRoutes.session, { key: null, headers: { cookie } }, "unauthorized");
  });

  test("behind TLS is bound to the host", async () => {
    const headers = { "x-forwarded-proto": "https" };
    const { headers: answered } = await call(server, accessRoutes.signIn, {
      key: null,
      body: { key: "root" },
      headers,
    });
    const cookie = answered.get("set-cookie") ?? "";
    assert.match(cookie, /^__Host-millrace_session=.*; Secure$/);
    const bound = cookieOf(answered);
    await good(server, accessRoutes.session, { key: null, headers: { ...headers, cookie: bound } });
    // Another host of the same domain can set one without the prefix.
    const unbound = bound.replace("__Host-", "");
    await refused(
      server,
      accessRoutes.session,
      { key: null, headers: { ...headers, cookie: unbound } },
      "unauthorized",
    );
    const both = { ...headers, cookie: `millrace_session=${"x".repeat(43)}; ${bound}` };
    await good(server, accessRoutes.session, { key: null, headers: both });
  });

  test("of another site does nothing", async () => {
    const { headers } = await call(server, accessRoutes.signIn, { key: null, body: { key: "root" } });
    const cookie = (headers.get("set-cookie") ?? "").split(";")[0] as string;
    for (const from of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://evil" },
    ]) {
      const response = await send(server, "POST", "/kinds/quick/pause", { key: null, headers: { cookie, ...from } });
      assert.equal(response.status, 403);
    }
  });
});

function cookieOf(headers: Headers): string {
  return (headers.get("set-cookie") ?? "").split(";")[0] as string;
}
